import { type Field, firstOf, oneOf } from '../field.ts';
import { integration } from '../integration.ts';
import { facts, link, md, paragraphs, time } from '../markdown.ts';
import { links, state } from '../words/index.ts';

const issue = (state: string) => ({
  id: '14',
  issueUrl: 'https://radar-api.newrelic.example/issues/14',
  title: ['Load is above 80 for 5 minutes'],
  priority: 'CRITICAL',
  state,
  trigger: 'STATE_CHANGE',
  totalIncidents: 1,
  createdAt: 1780000000000,
  alertPolicyNames: ['Ferry policy'],
  alertConditionNames: ['Load'],
  impactedEntities: ['boats'],
  owner: 'Mia',
});

/** A value, or the values of a list. */
const allOf = (value: Field) =>
  firstOf(
    value,
    value.list
      .map((one) => one.text)
      .filter((text) => text !== '')
      .join(', '),
  );

export const newrelic = integration({
  name: 'newrelic',
  title: 'New Relic',
  category: 'Monitoring',
  setUp:
    'In New Relic open Alerts, Destinations, and add a webhook with the address. Then use it in a workflow with the default payload.',
  events: ['ACTIVATED', 'CLOSED', 'ACKNOWLEDGED', 'CREATED', 'OPEN'],
  read: (at) => {
    const texts = (path: string) =>
      at(path).list.length > 0
        ? at(path)
            .list.map((one) => one.text)
            .join(', ')
        : at(path).text;
    const event = firstOf(at('state'), at('current_state')).toUpperCase() || at('state').need;
    const title = firstOf(texts('title'), at('details'), at('condition_name'), 'Issue');
    return {
      event,
      topic: `${firstOf(texts('alertPolicyNames'), at('policy_name'), 'New Relic')} (${oneOf(at('id'), at('incident_id'))})`,
      content: paragraphs(
        md`${state(event)} ${link(title, firstOf(at('issueUrl'), at('incident_url')))}`,
        facts({
          Priority: firstOf(at('priority'), at('severity')),
          Condition: firstOf(texts('alertConditionNames'), at('condition_name')),
          Where: texts('impactedEntities'),
          Owner: at('owner').text === 'N/A' ? '' : at('owner'),
          Incidents: (at('totalIncidents').number ?? 0) > 1 ? at('totalIncidents') : '',
          Since: at('createdAt').exists ? time(at('createdAt')) : '',
          Until: time(at('closedAt')),
          When: at('timestamp').exists ? time(at('timestamp')) : '',
          // Custom fields that a template adds to the payload; common guides use this name.
          ...Object.fromEntries(at('zulipCustomFields').members.map(([name, value]) => [name, allOf(value)])),
        }),
        event === 'OPEN' ? links({ Acknowledge: at('incident_acknowledge_url') }) : undefined,
      ),
    };
  },
  samples: [
    ...['CREATED', 'ACTIVATED', 'ACKNOWLEDGED', 'CLOSED'].map((name) => ({
      of: `An issue: ${name}`,
      json: issue(name),
    })),
    {
      of: 'An issue with fields of your own',
      json: {
        ...issue('CLOSED'),
        owner: 'N/A',
        closedAt: 1780000600000,
        zulipCustomFields: { Quay: 'North', Boats: ['raft', 2, null], Night: true, Nothing: null },
      },
    },
    ...['open', 'acknowledged', 'closed'].map((name) => ({
      of: `An older channel of notifications: ${name}`,
      json: {
        incident_id: 1234,
        incident_url: 'https://alerts.newrelic.example/accounts/29/incidents/1234',
        incident_acknowledge_url: 'https://alerts.newrelic.example/accounts/29/incidents/1234/acknowledge',
        condition_name: 'Load',
        current_state: name,
        details: 'Load is above 80 for 5 minutes',
        duration: 5,
        policy_name: 'Ferry policy',
        timestamp: 1_780_000_000_000,
      },
    })),
  ],
});
