import { lookUp } from '#kernel/lists';
import { type Field, firstOf } from '../field.ts';
import { UnsupportedEvent } from '../faults.ts';
import { integration, OPTIONS, type Said } from '../integration.ts';
import { bold, facts, link, md, paragraphs, time } from '../markdown.ts';
import { asWords, noted, textOfHtml } from '../words/index.ts';

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
/** Contacts of newer API versions have their kind as the role. */
const newer = { type: 'contact', id: '69', role: 'user', name: 'Gus Guest', email: 'gus@ferry.example', phone: null };
const ticket = {
  type: 'ticket',
  id: '21',
  ticket_id: '66',
  ticket_attributes: { _default_title_: 'Lost case', _default_description_: 'A red case.' },
  ticket_state: { type: 'ticket_state', category: 'submitted', internal_label: 'Submitted' },
  ticket_parts: { ticket_parts: [{ part_type: 'assignment', author: { type: 'admin', name: 'Mia Member' } }] },
};
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
  'contact.lead.created': { ...newer, role: 'lead' },
  'contact.lead.tag.created': {
    type: 'contact_tag',
    tag: { type: 'tag', id: '1', name: 'night' },
    contact: { ...newer, role: 'lead' },
  },
  'contact.merged': newer,
  'granular.subscribe': {
    type: 'granular_subscribe',
    contact: newer,
    subscription_types: { data: [{ id: '1', default_translation: { name: 'Tide tables' } }] },
  },
  'conversation_part.tag.created': { ...conversation, tags_added: { type: 'tag.list', tags: [{ name: 'night' }] } },
  'conversation.priority.updated': {
    ...conversation,
    user: undefined,
    priority: 'priority',
    conversation_parts: {
      conversation_parts: [
        { part_type: 'priority_changed', body: null, author: { type: 'admin', name: 'Mia Member' } },
      ],
    },
  },
  'conversation.deleted': { type: 'conversation', conversation_id: '7' },
  'company.created': { type: 'company', name: 'Ferry' },
  'company.contact.attached': {
    company: { type: 'company', id: 'c1', company_id: 'c1-qualification-company', name: null },
    contact: newer,
  },
  'ticket.created': ticket,
  'ticket.admin.replied': {
    type: 'ticket_ticket_part',
    ticket,
    ticket_part: {
      type: 'ticket_part',
      part_type: 'comment',
      body: '<p class="no-margin">At the quay &amp; dry.</p>',
      author: { type: 'admin', name: 'Mia Member' },
    },
  },
  'ticket.state.updated': { type: 'ticket_ticket_part', ticket },
  'article.published': {
    id: '15',
    type: 'article',
    title: 'How to board',
    description: 'A short tour of the quay.',
    state: 'published',
    url: 'https://help.ferry.example/15',
  },
  'admin.logged_in': { type: 'admin', id: 1, name: 'Mia Member', email: 'mia@ferry.example' },
  'admin.away_mode_updated': { type: 'admin', id: 1, name: 'Mia Member', away_mode_enabled: true },
  'admin.activity_log_event.created': {
    type: 'admin_activity_log_event',
    performed_by: { type: 'admin', id: '1', email: 'mia@ferry.example' },
    activity_type: 'message_state_change',
    activity_description: 'Mia Member changed the greeting.',
  },
  'event.created': { type: 'event', event_name: 'missed-ferry', email: 'gus@ferry.example', created_at: 1_780_000_000 },
};
const text = (html: Field) => textOfHtml(html.text);

/** The action in the event's name. */
const asked = (event: string) => event.split('.').slice(1).map(asWords).join(' ');

/** The kind of a contact: its role, or its type in older API versions. */
const kindOf = (contact: Field) =>
  lookUp({ lead: 'Lead', user: 'User', contact: 'Contact' }, firstOf(contact.at('role'), contact.at('type'))) ?? 'User';
const nameOf = (contact: Field) =>
  firstOf(contact.at('name'), contact.at('email'), contact.at('pseudonym'), 'Somebody');

function contacted(it: Field, event: string): Said {
  const contact = ['user', 'contact', 'visitor'].map((one) => it.at(one)).find((one) => one.exists) ?? it;
  const types = it.at('subscription_types.data').list.map((one) => one.at('default_translation.name').text);
  return {
    event,
    topic: `${kindOf(contact)}: ${nameOf(contact)}`,
    content: paragraphs(
      md`${bold(nameOf(contact))}: ${asked(event)}.`,
      facts({ Email: contact.at('email'), Tag: it.at('tag.name'), Subscriptions: types.join(', ') }),
    ),
  };
}

function company(it: Field, event: string): Said {
  const about = it.at('company').exists ? it.at('company') : it;
  const name = bold(firstOf(about.at('name'), about.at('company_id'), about.at('id'), 'without a name'));
  const who = it.at('contact').exists ? md`: ${nameOf(it.at('contact'))}` : undefined;
  const did = it.at('contact').exists ? md`, ${asked(event)}` : md` was ${asked(event)}`;
  return { event, topic: 'Companies', content: md`The company ${name}${did}${who}.` };
}

function ticketed(it: Field, event: string): Said {
  const about = it.at('ticket').exists ? it.at('ticket') : it;
  const title = about.at('ticket_attributes._default_title_').text;
  const name = `Ticket #${firstOf(about.at('ticket_id'), about.at('id').need)}${title === '' ? '' : `: ${title}`}`;
  const part = it.at('ticket_part').exists ? it.at('ticket_part') : about.at('ticket_parts.ticket_parts').list.at(-1);
  const by = part?.at('author.name').text ?? '';
  const isNews = /replied|note/.test(event) && part !== undefined;
  return {
    event,
    topic: name,
    content: paragraphs(
      noted(
        md`${bold(name)}: ${asked(event)}${by === '' ? undefined : md` by ${by}`}`,
        isNews
          ? text(part.at('body'))
          : event.endsWith('created')
            ? about.at('ticket_attributes._default_description_')
            : '',
      ),
      facts({ State: firstOf(about.at('ticket_state.internal_label'), about.at('ticket_state')) }),
    ),
  };
}

function article(it: Field, event: string): Said {
  const title = it.at('title').text || `Article ${it.at('id').need}`;
  return {
    event,
    topic: `Article: ${title}`,
    content: noted(
      md`The article ${link(title, it.at('url'))} was ${asked(event)}`,
      event.endsWith('created') ? firstOf(it.at('description'), text(it.at('body'))) : '',
    ),
  };
}

function admin(it: Field, event: string): Said {
  const name = firstOf(
    it.at('name'),
    it.at('performed_by.name'),
    it.at('performed_by.email'),
    it.at('email'),
    'Somebody',
  );
  const away = it.at('away_mode_enabled').isTrue ? 'is away' : 'is back';
  const did = event === 'admin.away_mode_updated' ? away : asked(event);
  const said = it.at('activity_description');
  return { event, topic: `Admin: ${name}`, content: said.exists ? md`${said}` : md`${bold(name)} ${did}.` };
}

/** Verbs for actions on a conversation. */
const DONE: Readonly<Record<string, string>> = {
  created: 'began',
  replied: 'replied to',
  assigned: 'assigned',
  closed: 'closed',
  opened: 'opened',
  snoozed: 'snoozed',
  unsnoozed: 'woke',
  noted: 'left a note on',
};

function conversed(it: Field, event: string): Said {
  const [group, by = '', verb = ''] = event.split('.');
  if (it.at('conversation_id').exists)
    return {
      event,
      topic: 'Conversations',
      content: md`The conversation ${it.at('conversation_id')}: ${asked(event)}.`,
    };
  const part = it.at('conversation_parts.conversation_parts').list.at(-1) ?? it.at('source');
  const contact = it.at('user').exists ? it.at('user') : it.at('source.author');
  const who = by === 'user' ? nameOf(contact) : firstOf(part.at('author.name'), 'Somebody');
  const named = link('the conversation', it.at('links.conversation_web'));
  const topic = `${kindOf(contact)}: ${nameOf(contact)}`;
  if (group === 'conversation_part' || !Object.hasOwn(DONE, verb)) {
    const tags = it.at('tags_added.tags').list.map((tag) => tag.at('name').text);
    return {
      event,
      topic,
      content: paragraphs(
        md`${capitalLink(it)}: ${asked(event)}${by === 'admin' || by === 'priority' ? md` by ${who}` : undefined}.`,
        facts({ Tags: tags.join(', '), Priority: asWords(by === 'priority' ? it.at('priority').text : '') }),
      ),
    };
  }
  const first = [it.at('source.body'), it.at('conversation_message.body')].find((one) => one.exists);
  const body = verb === 'created' ? first : /replied|noted/.test(verb) ? part.at('body') : undefined;
  const to = verb === 'assigned' ? firstOf(it.at('assignee.name'), part.at('assigned_to.name')) : '';
  return {
    event,
    topic,
    content: noted(
      md`${who} ${lookUp(DONE, verb) ?? verb} ${named}${to === '' ? undefined : md` to ${to}`}`,
      body === undefined ? '' : text(body),
    ),
  };
}

const capitalLink = (it: Field) => link('The conversation', it.at('links.conversation_web'));

const READERS: Readonly<Record<string, (it: Field, event: string) => Said>> = {
  admin,
  article,
  company,
  contact: contacted,
  conversation: conversed,
  conversation_part: conversed,
  granular: contacted,
  ticket: ticketed,
  user: contacted,
  visitor: contacted,
  event: (it, event) => ({
    event,
    topic: 'Events',
    content: paragraphs(
      md`The event ${bold(it.at('event_name'))} happened.`,
      facts({ Email: it.at('email'), When: time(it.at('created_at')) }),
    ),
  }),
};

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
    if (event === 'ping') return { topic: 'Intercom', content: md`Intercom is connected.` };
    const [group = ''] = event.split('.');
    const reader = lookUp(READERS, group);
    if (!reader) throw new UnsupportedEvent(event);
    return reader(at('data.item'), event);
  },
  samples: [
    ...Object.entries(TOPICS).map(([topic, item]) => ({
      of: `An event: ${topic}`,
      json: { type: 'notification_event', topic, data: { item } },
    })),
    {
      of: 'A conversation of older versions',
      json: {
        type: 'notification_event',
        topic: 'conversation.user.created',
        data: {
          item: {
            ...conversation,
            source: undefined,
            conversation_message: { body: '<p>Where is my case?</p>', author: { type: 'user', id: '5c' } },
            conversation_parts: { conversation_parts: [] },
          },
        },
      },
    },
  ],
});
