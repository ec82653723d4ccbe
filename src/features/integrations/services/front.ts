import { lookUp } from '#kernel/lists';
import { type At, type Field, firstOf } from '../field.ts';
import { UnsupportedEvent } from '../faults.ts';
import { integration } from '../integration.ts';
import { link, md } from '../markdown.ts';
import { capital, noted } from '../words/index.ts';

const conversation = {
  id: 'cnv_keocka',
  subject: 'Lost luggage',
  status: 'unassigned',
  recipient: { handle: 'gus@ferry.example' },
  assignee: { first_name: 'Max', last_name: 'Member' },
};
const mia = { id: 'tea_1', email: 'mia@ferry.example', username: 'mia', first_name: 'Mia', last_name: 'Member' };
const byMia = { source: { _meta: { type: 'teammate' }, data: mia } };
const inboxes = { source: { _meta: { type: 'inboxes' }, data: [{ id: 'inb_1', name: 'Support', type: 'gmail' }] } };
/** The source of an event: an inbox for messages, a teammate for all others. */
const FROM: Readonly<Record<string, object>> = Object.fromEntries(
  ['assign', 'unassign', 'archive', 'reopen', 'trash', 'restore', 'tag', 'untag', 'comment', 'mention'].map((type) => [
    type,
    byMia,
  ]),
);
const message = (is_inbound: boolean) => ({
  target: {
    _meta: { type: 'message' },
    data: {
      id: 'msg_1',
      type: 'email',
      is_inbound,
      blurb: 'Where is it?',
      text: 'Where is it?\n',
      author: is_inbound ? null : mia,
    },
  },
});
const tag = { target: { _meta: { type: 'tag' }, data: { id: 'tag_1', name: 'urgent' } } };
const comment = {
  target: { _meta: { type: 'comment' }, data: { id: 'com_1', body: 'At the quay, I think.', author: mia } },
};
const TARGETS: Readonly<Record<string, object>> = {
  inbound: { ...inboxes, ...message(true) },
  outbound: { ...inboxes, ...message(false) },
  out_reply: { ...inboxes, ...message(false) },
  assign: { target: { _meta: { type: 'teammate' }, data: { id: 'tea_2', first_name: 'Max', last_name: 'Member' } } },
  tag,
  untag: tag,
  comment,
  mention: comment,
};
const EVENTS: Readonly<Record<string, string>> = {
  inbound: 'wrote in',
  outbound: 'sent a message in',
  out_reply: 'answered in',
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

const fullName = (it: Field) => `${it.at('first_name').text} ${it.at('last_name').text}`.trim();

/** Who caused an event: a teammate, a rule, the message's author, or a program. */
function whoDid(at: At): string {
  const kind = at('source._meta.type').text;
  const customer = at('conversation.recipient.handle').text;
  if (at('type').text === 'inbound') return customer || 'Somebody';
  if (kind === 'rule') return `The rule ${at('source.data.name').text}`.trim();
  const told = [at('source.data'), at('target.data.author')].map(fullName).find((name) => name !== '');
  return told ?? firstOf(/^(?:inboxes|teammate)?$/.test(kind) ? '' : capital(kind), 'Somebody');
}

export const front = integration({
  name: 'front',
  title: 'Front',
  category: 'Customers',
  setUp: 'In Front open Settings, Rules & Macros, and make a rule that sends to a webhook with the address.',
  events: Object.keys(EVENTS),
  read: (at) => {
    const event = at('type').need;
    const did = lookUp(EVENTS, event);
    if (did === undefined) throw new UnsupportedEvent(event);
    const who = whoDid(at);
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
        ? md` to ${fullName(at('target.data')) || fullName(at('conversation.assignee')) || 'somebody'}`
        : undefined;
    const tag = event.endsWith('tag') ? md` (${target.at('name').text})` : undefined;
    return {
      event,
      topic: at('conversation.id').need,
      content: noted(md`${who} ${did} ${name}${assignee}${tag}`, /inbound|out|comment|mention/.test(event) ? body : ''),
    };
  },
  samples: [
    ...Object.keys(EVENTS).map((type) => ({
      of: `A conversation: ${type}`,
      json: { type, conversation, ...FROM[type], ...TARGETS[type] },
    })),
    {
      of: 'A rule assigns a conversation',
      json: {
        type: 'assign',
        conversation,
        source: {
          _meta: { type: 'rule' },
          data: { id: 'rul_1', name: 'Lost things', actions: ['Assign to Max Member'] },
        },
        ...TARGETS['assign'],
      },
    },
    {
      of: 'A conversation is archived in another program',
      json: { type: 'archive', conversation, source: { _meta: { type: 'gmail' }, data: null } },
    },
  ],
});
