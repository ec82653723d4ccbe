import { type Field, firstOf } from '../field.ts';
import { UnsupportedEvent } from '../faults.ts';
import { integration, OPTIONS } from '../integration.ts';
import { bold, facts, link, md, paragraphs } from '../markdown.ts';
import { asWords, noted } from '../words/index.ts';

const conversation = {
  type: 'conversation',
  id: '7',
  user: { type: 'lead', name: 'Gus Guest', email: 'gus@ferry.example' },
  source: { subject: '', body: '<p>Where is my <b>case</b>?</p>', author: { type: 'user', name: 'Gus Guest' } },
  conversation_parts: {
    conversation_parts: [{ body: '<p>At the quay.</p>', author: { type: 'admin', name: 'Mia Member' } }],
  },
  links: { conversation_web: 'https://app.intercom.example/conversations/7' },
};
const contact = { type: 'user', name: 'Gus Guest', email: 'gus@ferry.example', tags: { tags: [{ name: 'guest' }] } };
const TOPICS: Readonly<Record<string, object>> = {
  'conversation.user.created': conversation,
  'conversation.user.replied': conversation,
  'conversation.admin.replied': conversation,
  'conversation.admin.assigned': conversation,
  'conversation.admin.closed': conversation,
  'conversation.admin.opened': conversation,
  'conversation.admin.snoozed': conversation,
  'conversation.admin.noted': conversation,
  'contact.created': contact,
  'contact.signed_up': contact,
  'user.created': contact,
  'user.deleted': contact,
  'user.email.updated': contact,
  'user.unsubscribed': contact,
  'company.created': { type: 'company', name: 'Ferry' },
};
const plain = (html: Field) =>
  html.text
    .replaceAll(/<br\s*\/?>|<\/p>/g, '\n')
    .replaceAll(/<[^<>]*>/g, '')
    .trim();

export const intercom = integration({
  name: 'intercom',
  title: 'Intercom',
  category: 'Customers',
  setUp: 'In the Developer Hub open the app, Webhooks, paste the address as Endpoint URL and choose the topics.',
  events: Object.keys(TOPICS),
  options: [OPTIONS.secret],
  signature: { header: 'x-hub-signature', algorithm: 'sha1', prefix: 'sha1=' },
  read: (at) => {
    const event = at('topic').need;
    const it = at('data.item');
    if (event === 'ping') return { topic: 'Intercom', content: md`Intercom is connected.` };
    if (event.startsWith('company.'))
      return {
        event,
        topic: 'Companies',
        content: md`The company ${bold(it.at('name'))} was ${asWords(event.slice('company.'.length))}.`,
      };
    const [group = '', ...rest] = event.split('.');
    if (group !== 'conversation') {
      if (!['user', 'contact', 'visitor'].includes(group)) throw new UnsupportedEvent(event);
      const contact = it.at('user').exists ? it.at('user') : it.at('contact').exists ? it.at('contact') : it;
      const name = firstOf(contact.at('name'), contact.at('email'), 'Somebody');
      return {
        event,
        topic: `${contact.at('type').text === 'lead' ? 'Lead' : 'User'}: ${name}`,
        content: paragraphs(
          md`${bold(name)}: ${rest.map(asWords).join(' ')}.`,
          facts({ Email: contact.at('email'), Tag: it.at('tag.name') }),
        ),
      };
    }
    const parts = it.at('conversation_parts.conversation_parts').list;
    const part = parts.at(-1) ?? it.at('source').at('');
    const person = firstOf(it.at('user.name'), it.at('source.author.name'), 'Somebody');
    const who = rest[0] === 'user' ? person : firstOf(part.at('author.name'), 'Somebody');
    const did =
      {
        created: 'began',
        replied: 'replied to',
        assigned: 'assigned',
        closed: 'closed',
        opened: 'opened',
        snoozed: 'snoozed',
        unsnoozed: 'woke',
        noted: 'left a note on',
      }[rest[1] ?? ''] ?? asWords(rest.join(' '));
    const body = event.endsWith('created')
      ? plain(it.at('source.body'))
      : /replied|noted/.test(event)
        ? plain(part.at('body'))
        : '';
    return {
      event,
      topic: `${it.at('user.type').text === 'lead' ? 'Lead' : 'User'}: ${person}`,
      content: noted(md`${who} ${did} ${link('the conversation', it.at('links.conversation_web'))}`, body),
    };
  },
  samples: Object.entries(TOPICS).map(([topic, item]) => ({
    of: `An event: ${topic}`,
    json: { type: 'notification_event', topic, data: { item } },
  })),
});
