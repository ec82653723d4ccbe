import { firstOf } from '../field.ts';
import { UnsupportedEvent } from '../faults.ts';
import { integration } from '../integration.ts';
import { link, md } from '../markdown.ts';
import { noted } from '../words/index.ts';

const conversation = {
  id: 'cnv_keocka',
  subject: 'Lost luggage',
  status: 'unassigned',
  recipient: { handle: 'gus@ferry.example' },
  assignee: { first_name: 'Max', last_name: 'Member' },
};
const source = { _meta: { type: 'teammate' }, data: { first_name: 'Mia', last_name: 'Member' } };
const EVENTS: Readonly<Record<string, string>> = {
  inbound: 'wrote',
  outbound: 'answered',
  out_reply: 'answered',
  assign: 'assigned',
  unassign: 'took back the assignment of',
  archive: 'archived',
  reopen: 'reopened',
  trash: 'deleted',
  restore: 'restored',
  tag: 'tagged',
  untag: 'took a tag from',
  comment: 'commented on',
  mention: 'mentioned somebody in',
};

export const front = integration({
  name: 'front',
  title: 'Front',
  category: 'Customers',
  setUp: 'In Front open Settings, Rules & Macros, and make a rule that sends to a webhook with the address.',
  events: Object.keys(EVENTS),
  read: (at) => {
    const event = at('type').need;
    const did = Object.hasOwn(EVENTS, event) ? EVENTS[event] : undefined;
    if (did === undefined) throw new UnsupportedEvent(event);
    const it = at('source.data');
    const who =
      `${it.at('first_name').text} ${it.at('last_name').text}`.trim() ||
      firstOf(at('conversation.recipient.handle'), 'Somebody');
    const name = link(
      at('conversation.subject').text || 'a conversation',
      `https://app.frontapp.com/open/${at('conversation.id').need}`,
    );
    const target = at('target.data');
    const body =
      event === 'comment' || event === 'mention'
        ? target.at('body')
        : target.at('text').text === ''
          ? target.at('blurb')
          : target.at('text');
    const assignee =
      event === 'assign'
        ? md` to ${`${at('conversation.assignee.first_name').text} ${at('conversation.assignee.last_name').text}`.trim() || 'somebody'}`
        : undefined;
    const tag = event.endsWith('tag') ? md` (${target.at('name').text})` : undefined;
    return {
      event,
      topic: at('conversation.id').need,
      content: noted(
        md`${event === 'inbound' ? at('conversation.recipient.handle').text || 'Somebody' : who} ${event === 'inbound' ? 'wrote in' : did} ${name}${assignee}${tag}`,
        /inbound|out|comment|mention/.test(event) ? body : '',
      ),
    };
  },
  samples: Object.keys(EVENTS).map((type) => ({
    of: `A conversation: ${type}`,
    json: {
      type,
      conversation,
      source,
      target: { data: { text: 'Where is my case?', body: 'At the quay, I think.', name: 'urgent' } },
    },
  })),
});
