import { lookUp } from '#kernel/lists';
import { firstOf } from '../field.ts';
import { integration } from '../integration.ts';
import { bold, facts, link, md, paragraphs, quote } from '../markdown.ts';
import { asWords, mark, type Mood } from '../words/index.ts';

const DONE: Readonly<Record<string, string>> = {
  Create: 'created',
  Acknowledge: 'acknowledged',
  UnAcknowledge: 'no longer acknowledged',
  Close: 'closed',
  AddNote: 'note added',
  AddTags: 'tags added',
  RemoveTags: 'tags removed',
  AddRecipient: 'recipient added',
  AddTeam: 'team added',
  AssignOwnership: 'assigned',
  TakeOwnership: 'taken over',
  Escalate: 'escalated',
  EscalateNext: 'escalated to the next',
  Snooze: 'snoozed',
  UpdatePriority: 'new priority',
  UpdateMessage: 'new message',
  UpdateDescription: 'new description',
  Delete: 'deleted',
};
const ACTIONS = Object.keys(DONE);
const ORIGIN = 'bridge';
const call = (action: string) => ({
  action,
  integrationName: 'Webhook',
  integrationType: 'Webhook',
  alert: {
    alertId: '052652ac-5d1c',
    message: 'Too many passengers',
    priority: 'P1',
    username: 'mia@ferry.example',
    tags: ['ferry', 'night'],
    tinyId: '23',
    alias: 'passengers',
    entity: '',
    userId: 'daed1180-0ce8',
    createdAt: 1_780_000_000_000,
    updatedAt: 1_780_000_000_000_000_000,
    source: ORIGIN,
    ...MORE[action],
  },
  ...(action.startsWith('Escalate') && { escalationName: 'Night', escalationNotify: { name: 'Max', entity: 'user' } }),
});
/** Fields that an alert has only in some events. */
const MORE: Readonly<Record<string, object>> = {
  AddNote: { note: 'A second ferry comes.' },
  AddTags: { tags: ['ferry', 'night', 'storm'], addedTags: 'night,storm' },
  RemoveTags: { tags: ['ferry'], removedTags: 'night' },
  AddRecipient: { recipient: 'gus@ferry.example' },
  AddTeam: { team: 'Harbour' },
  AssignOwnership: { owner: 'Max' },
  Create: { description: 'Eighty people on the quay.' },
  UpdatePriority: { oldPriority: 'P3' },
  UpdateMessage: { oldMessage: 'Many passengers' },
  UpdateDescription: { description: 'Ninety people on the quay.' },
};

export const opsgenie = integration({
  name: 'opsgenie',
  title: 'Opsgenie',
  category: 'Monitoring',
  setUp:
    'In Opsgenie open Settings, Integrations, Add integration, Webhook. Paste the address as Webhook URL and choose the actions.',
  events: [...ACTIONS, 'CustomAction'],
  read: (at) => {
    const action = at('action').need;
    const done = lookUp(DONE, action);
    const event = done === undefined ? 'CustomAction' : action;
    const it = at('alert');
    const mood: Mood =
      event === 'Create' || /Escalate/.test(event)
        ? 'bad'
        : event === 'Close' || event === 'Delete'
          ? 'good'
          : event === 'Acknowledge'
            ? 'wait'
            : 'note';
    const url = `https://app.opsgenie.com/alert/V2#/show/${it.at('alertId').text}`;
    const about = firstOf(
      event === 'AddTags' ? it.at('addedTags') : '',
      event === 'RemoveTags' ? it.at('removedTags') : '',
      /Ownership/.test(event) ? it.at('owner') : '',
      /Recipient/.test(event) ? it.at('recipient') : '',
      /Team/.test(event) ? it.at('team') : '',
      event === 'UpdateMessage' && it.at('oldMessage').exists ? `before: ${it.at('oldMessage').text}` : '',
      event === 'UpdatePriority' && it.at('oldPriority').exists ? `before: ${it.at('oldPriority').text}` : '',
      /Escalate/.test(event)
        ? [at('escalationName').text, at('escalationNotify.name').text].filter((one) => one !== '').join(': ')
        : '',
    ).replaceAll(/,(?=\S)/g, ', ');
    const from = it.at('source').text;
    return {
      event,
      topic: at('integrationName').text || 'Opsgenie',
      content: paragraphs(
        md`${mark(mood)} ${link(it.at('message').text || `Alert ${it.at('alertId').need}`, url)}: ${bold(done ?? asWords(action))}${about === '' ? undefined : md` (${about})`}.`,
        facts({
          Priority: it.at('priority'),
          By: it.at('username'),
          Tags: it
            .at('tags')
            .list.map((tag) => tag.text)
            .join(', '),
          Entity: it.at('entity'),
          Source: from === it.at('username').text ? '' : from,
        }),
        quote(firstOf(it.at('note'), event === 'Create' || event === 'UpdateDescription' ? it.at('description') : '')),
      ),
    };
  },
  samples: [
    ...ACTIONS.map((action) => ({ of: `An alert: ${action}`, json: call(action) })),
    { of: 'An action of your own', json: call('CallHarbour') },
    {
      of: 'An escalation that tells nothing of its alert',
      json: {
        action: 'Escalate',
        integrationName: 'Webhook',
        escalationName: 'Night',
        escalationNotify: { name: 'max@ferry.example', type: 'default', entity: 'user' },
        escalationTime: 0,
        repeatCount: 0,
        alert: { alertId: '052652ac-5d1c' },
      },
    },
  ],
});
