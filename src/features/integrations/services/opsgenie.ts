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
    note: action === 'AddNote' ? 'A second ferry comes.' : undefined,
    team: 'Harbour',
    owner: 'Max',
    recipient: 'gus@ferry.example',
    source: ORIGIN,
  },
});

export const opsgenie = integration({
  name: 'opsgenie',
  title: 'Opsgenie',
  category: 'Monitoring',
  setUp:
    'In Opsgenie open Settings, Integrations, Add integration, Webhook. Paste the address as Webhook URL and choose the actions.',
  events: ACTIONS,
  read: (at) => {
    const event = at('action').need;
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
    const about = /Tags/.test(event)
      ? it
          .at('tags')
          .list.map((tag) => tag.text)
          .join(', ')
      : firstOf(
          /Ownership/.test(event) ? it.at('owner') : '',
          /Recipient/.test(event) ? it.at('recipient') : '',
          /Team/.test(event) ? it.at('team') : '',
          /Message/.test(event) ? it.at('message') : '',
        );
    return {
      event,
      topic: at('integrationName').text || 'Opsgenie',
      content: paragraphs(
        md`${mark(mood)} ${link(it.at('message').text || `Alert ${it.at('alertId').need}`, url)}: ${bold(DONE[event] ?? asWords(event))}${about === '' ? undefined : md` (${about})`}.`,
        facts({
          Priority: it.at('priority'),
          By: it.at('username'),
          Tags: it
            .at('tags')
            .list.map((tag) => tag.text)
            .join(', '),
          Source: it.at('source'),
        }),
        quote(it.at('note')),
      ),
    };
  },
  samples: ACTIONS.map((action) => ({ of: `An alert: ${action}`, json: call(action) })),
});
