import { lookUp } from '#kernel/lists';
import { type At, type Field, firstOf } from '../field.ts';
import { integration, type Said } from '../integration.ts';
import { bold, facts, lines, link, md, paragraphs, quote, time } from '../markdown.ts';
import { links, state } from '../words/index.ts';

const LEGACY: Readonly<Record<string, string>> = { ok: 'resolved', alerting: 'alerting', no_data: 'no data' };
const GRAFANA = 'https://grafana.ferry.example';

/** The payload before version 8, about a single rule. */
function legacy(at: At): Said {
  const name = at('state').need;
  return {
    event: 'alerting',
    topic: at('title').text || `[${name}] ${at('ruleName').need}`,
    content: paragraphs(
      state(lookUp(LEGACY, name) ?? name),
      link(at('ruleName'), at('ruleUrl')),
      quote(at('message')),
      facts(
        Object.fromEntries(
          at('evalMatches').list.map((match) => [match.at('metric').text || 'value', match.at('value')]),
        ),
      ),
      links({ Picture: at('imageUrl') }),
    ),
  };
}

function alert(one: Field): Said {
  const name = firstOf(one.at('labels.alertname'), one.at('fingerprint'), 'Alert');
  const status = one.at('status').need;
  const ended = status === 'resolved' && !one.at('endsAt').text.startsWith('0001');
  const labels = one.at('labels').members.filter(([label]) => label !== 'alertname');
  return {
    event: status,
    topic: `[${name}]`,
    content: paragraphs(
      md`${state(status)} ${bold(name)}`,
      lines([
        one.at('startsAt').text === ''
          ? undefined
          : md`Since ${time(one.at('startsAt'))}${ended ? md` until ${time(one.at('endsAt'))}` : undefined}.`,
      ]),
      facts(Object.fromEntries([...one.at('annotations').members, ...labels, ...one.at('values').members])),
      one.at('values').exists ? undefined : md`${one.at('valueString').text}`,
      links({
        Rule: one.at('generatorURL'),
        Silence: one.at('silenceURL'),
        Dashboard: one.at('dashboardURL'),
        Panel: one.at('panelURL'),
        Picture: one.at('imageURL'),
      }),
    ),
  };
}

export const grafana = integration({
  name: 'grafana',
  title: 'Grafana',
  category: 'Monitoring',
  setUp: 'In Grafana open Alerting, Contact points, and add one of the kind Webhook with the address.',
  publishedAt:
    'https://grafana.com/docs/grafana/v11.5/alerting/configure-notifications/manage-contact-points/integrations/webhook-notifier',
  events: ['firing', 'resolved', 'alerting'],
  read: (at) => (at('alerts').exists ? at('alerts').list.map(alert) : legacy(at)),
  samples: [
    {
      of: 'An alert fires and another is over',
      json: {
        receiver: 'chat',
        status: 'firing',
        alerts: [
          {
            status: 'firing',
            labels: { alertname: 'Memory is short', zone: 'eu-1' },
            annotations: { summary: 'Less than 5% are free' },
            startsAt: '2026-11-20T10:00:00Z',
            endsAt: '0001-01-01T00:00:00Z',
            values: { A: 4.1, C: 1 },
            fingerprint: 'e6349a25',
            generatorURL: `${GRAFANA}/alerting/grafana/dd2f/view`,
            silenceURL: `${GRAFANA}/alerting/silence/new?alertmanager=grafana&matcher=zone%3Deu-1`,
          },
          {
            status: 'resolved',
            labels: { zone: 'us-1' },
            annotations: {},
            startsAt: '2026-11-20T09:00:00Z',
            endsAt: '2026-11-20T09:30:00Z',
            valueString: "[ metric='load' labels={} value=2 ]",
            fingerprint: '77aa01',
          },
        ],
      },
    },
    {
      of: 'An alert of which little is told',
      json: { receiver: '', status: 'firing', alerts: [{ status: 'firing' }], title: '[FIRING:1]', truncatedAlerts: 1 },
    },
    {
      of: 'An alert of Grafana 7',
      json: {
        title: '[Alerting] Load',
        ruleName: 'Load',
        ruleUrl: `${GRAFANA}/d/load?tab=alert`,
        state: 'alerting',
        message: 'Too many passengers.',
        evalMatches: [{ metric: 'passengers', value: 104 }],
        imageUrl: `${GRAFANA}/load.png`,
      },
    },
    {
      of: 'A rule of Grafana 7 has no data',
      json: {
        title: '[No Data] Load',
        ruleId: 1,
        ruleName: 'Load',
        ruleUrl: `${GRAFANA}/d/load?tab=alert`,
        state: 'no_data',
        evalMatches: [],
      },
    },
  ],
});
