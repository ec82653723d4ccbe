import { FLAGS as Flag } from '#features/exports';
import {
  cutContent,
  insertIntoIndex,
  MAX_TOPIC,
  type MessageRow,
  renderContent,
  type StoredEdit,
  type StoredFlag,
} from '#features/messages';
import { topicLinker } from '#features/rendering';
import { actorOf } from '#features/users';
import type { RealmRef } from '#kernel/auth';
import { asId, type ChannelId, type MessageId, type RecipientId, type UserId } from '#kernel/ids';
import type { Context } from '#kernel/context';
import { freshIds, inChunks, insertWhole, type WholeRow, type WriteTx } from '#kernel/store';
import { foldCase, takeCodePoints } from '#kernel/text';
import type { Places, Stay } from './channels.ts';
import { type Entry, Tables } from './entry.ts';
import { unique } from './groups.ts';
import { keyed } from './keyed.ts';
import { emojiCode } from './personal.ts';
import type { Plan } from './plan.ts';

/** The bits of what a message is to somebody that are stored one by one. */
const FLAGS: readonly (readonly [number, StoredFlag])[] = [
  [Flag.starred, 'starred'],
  [Flag.collapsed, 'collapsed'],
  [Flag.mentioned, 'mentioned'],
  [Flag.topic_wildcard_mentioned, 'topic_wildcard_mentioned'],
  [Flag.has_alert_word, 'has_alert_word'],
  [Flag.historical, 'historical'],
];

/** Everything that messages need which is decided before them. */
export interface Filling {
  readonly context: Context;
  readonly plan: Plan;
  readonly realm: RealmRef;
  readonly places: Places;
  readonly stays: ReadonlyMap<string, readonly Stay[]>;
  readonly users: ReadonlyMap<UserId, WholeRow<'user'>>;
  readonly clients: ReadonlyMap<number, string>;
}

/** What is gathered from all messages and stored after them. */
export class Gathered {
  readonly #direct = new Map<string, RecipientId>();
  /** By user and conversation, in ascending order. */
  readonly unread = new Map<string, number[]>();
  readonly newest = new Map<RecipientId, number>();
  readonly first = new Map<ChannelId, { id: MessageId; at: number; last: number }>();
  readonly conversations = new Map<RecipientId, readonly UserId[]>();
  readonly ids = new Set<number>();

  /** The conversation of some people; one that is new is stored. */
  async conversation(
    tx: WriteTx,
    { realmId }: Plan,
    people: readonly UserId[],
    group: RecipientId | undefined,
  ): Promise<RecipientId> {
    const ordered = [...new Set(people)].toSorted((a, b) => a - b);
    const participants_key = ordered.join(',');
    const known = this.#direct.get(participants_key);
    if (known !== undefined) return known;
    const id = group ?? asId<RecipientId>((await freshIds(tx, 'recipient', 1))[0] ?? 0);
    await insertWhole(tx, 'recipient', [{ id, realm_id: realmId, channel_id: null, participants_key }]);
    await insertWhole(
      tx,
      'direct_participant',
      ordered.map((user_id) => ({ realm_id: realmId, recipient_id: id, user_id })),
    );
    this.#direct.set(participants_key, id);
    this.conversations.set(id, ordered);
    return id;
  }
}

interface Prepared {
  readonly entry: Entry;
  readonly row: Omit<MessageRow, 'recipient_id' | 'channel_id'>;
  readonly people: readonly UserId[] | undefined;
  /** The conversation, where it is one of three people and more and keeps its ID. */
  readonly group: RecipientId | undefined;
  readonly place: { readonly channel: ChannelId; readonly recipient: RecipientId } | undefined;
  readonly groups: readonly number[];
}

/** Stores the messages of one file. */
export async function importMessageFile(
  filling: Filling,
  gathered: Gathered,
  file: string,
  value: unknown,
): Promise<number> {
  const tables = new Tables(file, value);
  const linkTopic = await topicLinker(filling.context, filling.realm);
  const prepared: Prepared[] = [];
  for (const entry of tables.rows('zerver_message')) {
    const one = await prepare(filling, entry, linkTopic);
    if (one) prepared.push(one);
  }
  await filling.context.store.write(async (tx) =>
    store(tx, filling, gathered, prepared, tables.rows('zerver_usermessage')),
  );
  return prepared.length;
}

async function prepare(
  filling: Filling,
  entry: Entry,
  linkTopic: Awaited<ReturnType<typeof topicLinker>>,
): Promise<Prepared | undefined> {
  const { context, plan, realm, users, clients } = filling;
  const id = plan.messages.of(entry.id('id'));
  const sender = plan.users.of(entry.idOrNull('sender'));
  const author = sender === undefined ? undefined : users.get(sender);
  const where = placeIn(filling, entry.id('recipient'), sender);
  const content = cutContent(rewritten(plan, entry.text('content', '')).replace(/^\n+/, '').trimEnd());
  if (id === undefined || author === undefined || where === undefined || content === '') {
    const why = author === undefined ? 'nobody sent it' : where === undefined ? 'it has no place' : 'it is empty';
    plan.report.remark('messages left out', `${entry.id('id')}: ${why}`);
    return undefined;
  }
  const client = clients.get(entry.idOrNull('sending_client') ?? 0) ?? 'import';
  const actor = { ...actorOf(author, realm, plan.now), client };
  const render = (text: string) => renderContent(context, realm, actor, author, text);
  const rendered = await render(content);
  const topic = where.place
    ? takeCodePoints(
        entry
          .text('subject', '')
          .replaceAll(/\p{Cc}/gu, ' ')
          .trim(),
        MAX_TOPIC,
      )
    : '';
  return {
    entry,
    ...where,
    groups: [...rendered.mentionedGroupIds],
    row: {
      id,
      realm_id: plan.realmId,
      sender_id: author.id,
      topic,
      topic_key: foldCase(topic),
      content,
      rendered_content: rendered.html,
      sent_at: entry.time('date_sent', plan.now),
      client: takeCodePoints(client, 100),
      is_me_message: rendered.isMeMessage,
      has_attachment: rendered.hasAttachment,
      has_image: rendered.hasImage,
      has_link: rendered.hasLink,
      mentions_channel: rendered.mentionsChannel,
      mentions_groups: rendered.mentionedGroupIds.size > 0,
      topic_links: linkTopic(topic),
      edit_history: await editsOf(filling, entry, async (text) =>
        text.trim() === '' ? '' : (await render(text)).html,
      ),
      last_edit_at: entry.timeOrNull('last_edit_time'),
      last_moved_at: entry.timeOrNull('last_moved_time'),
    },
  };
}

/** Where a message went; undefined for a place that the archive does not have. */
function placeIn(
  { places, plan }: Filling,
  recipient: number,
  sender: UserId | undefined,
): Pick<Prepared, 'people' | 'place' | 'group'> | undefined {
  const place = places.channels.get(recipient);
  if (place) return { place, people: undefined, group: undefined };
  if (sender === undefined) return undefined;
  const people = places.groups.get(recipient);
  // In some archives two people are a group like any other; here each set of people has one conversation.
  if (people) return { people, place: undefined, group: people.length > 2 ? plan.recipients.of(recipient) : undefined };
  const person = places.people.get(recipient);
  return person === undefined ? undefined : { people: [sender, person], place: undefined, group: undefined };
}

/** Addresses of files with the organization's ID here. */
function rewritten({ sourceRealmId, realmId }: Plan, content: string): string {
  if (sourceRealmId === Number(realmId)) return content;
  return content.replaceAll(`/user_uploads/${sourceRealmId}/`, `/user_uploads/${realmId}/`);
}

/** The changes of a message. What it was before is rendered anew: HTML of an archive is never shown. */
async function editsOf(
  { plan }: Filling,
  entry: Entry,
  render: (content: string) => Promise<string>,
): Promise<readonly StoredEdit[] | null> {
  const edits: StoredEdit[] = [];
  for (const part of entry.parts('edit_history')) {
    const prev_content = part.textOrNull('prev_content');
    const [prev_topic, topic] = [
      part.textOrNull('prev_topic') ?? part.textOrNull('prev_subject'),
      part.textOrNull('topic'),
    ];
    const [prev_stream, stream] = [
      plan.channels.of(part.idOrNull('prev_stream')),
      plan.channels.of(part.idOrNull('stream')),
    ];
    edits.push({
      user_id: plan.users.orNull(part.idOrNull('user_id')),
      timestamp: part.time('timestamp', 0),
      ...(prev_content !== null && { prev_content, prev_rendered_content: await render(prev_content) }),
      ...(prev_topic !== null && { prev_topic }),
      ...(topic !== null && { topic }),
      ...(prev_stream !== undefined && { prev_stream }),
      ...(stream !== undefined && { stream }),
    });
  }
  return edits.length === 0 ? null : edits;
}

async function store(
  tx: WriteTx,
  { plan, users, stays }: Filling,
  gathered: Gathered,
  prepared: readonly Prepared[],
  userMessages: readonly Entry[],
): Promise<void> {
  const rows: MessageRow[] = [];
  for (const { row, people, place, group } of prepared) {
    const recipient_id = place?.recipient ?? (await gathered.conversation(tx, plan, people ?? [], group));
    rows.push({ ...row, recipient_id, channel_id: place?.channel ?? null });
  }
  await insertWhole(tx, 'message', rows);
  await insertIntoIndex(tx, rows);
  await insertWhole(
    tx,
    'message_group_mention',
    prepared.flatMap(({ row, groups }) =>
      groups.map((group_id) => ({ realm_id: plan.realmId, message_id: row.id, group_id: asId(group_id) })),
    ),
  );
  for (const row of rows) note(gathered, row);
  const byId = new Map(rows.map((row) => [row.id, row]));
  const flags: WholeRow<'message_flag'>[] = [];
  for (const entry of userMessages) {
    const message = byId.get(plan.messages.of(entry.idOrNull('message')) ?? asId(0));
    const user = plan.users.of(entry.idOrNull('user_profile'));
    if (!message || user === undefined || !users.has(user)) continue;
    const mask = entry.int('flags_mask', entry.int('flags', Flag.read));
    if ((mask & Flag.read) === 0) {
      const key = `${user} ${message.recipient_id}`;
      const known = gathered.unread.get(key);
      if (known) known.push(message.id);
      else gathered.unread.set(key, [message.id]);
    }
    const named = FLAGS.filter(([bit]) => (mask & bit) !== 0).map(([, flag]) => flag);
    const isOutside = message.channel_id !== null && (mask & Flag.historical) === 0 && !wasThere(stays, user, message);
    for (const flag of isOutside ? [...named, 'delivered' as const] : named)
      flags.push({ realm_id: plan.realmId, user_id: user, flag, message_id: message.id });
  }
  await insertWhole(tx, 'message_flag', unique(flags));
}

function wasThere(stays: Filling['stays'], user: UserId, { id, channel_id }: MessageRow): boolean {
  const own = stays.get(`${user} ${channel_id ?? 0}`) ?? [];
  return own.some(({ after, until }) => after < id && (until === null || id <= until));
}

function note(gathered: Gathered, { id, recipient_id, channel_id, sent_at }: MessageRow): void {
  gathered.ids.add(id);
  gathered.newest.set(recipient_id, Math.max(gathered.newest.get(recipient_id) ?? 0, id));
  if (channel_id === null) return;
  const known = gathered.first.get(channel_id);
  if (known) known.last = Math.max(known.last, sent_at);
  else gathered.first.set(channel_id, { id, at: sent_at, last: sent_at });
}

/** Stores reactions, parts of widgets and uses of files, of messages that came. */
export async function importMessageParts(
  tx: WriteTx,
  plan: Plan,
  gathered: Gathered,
  attachments: Tables,
  stored: ReadonlySet<number>,
): Promise<void> {
  const { tables, users, messages, realmId: realm_id } = plan;
  const messageOf = (entry: Entry, name: string) => {
    const id = messages.of(entry.idOrNull(name));
    return id !== undefined && gathered.ids.has(id) ? id : undefined;
  };
  const reactions = new Set<string>();
  const count = await keyed(tx, plan, 'reaction', tables.rows('zerver_reaction'), (entry, id) => {
    const [message_id, user_id] = [messageOf(entry, 'message'), users.of(entry.idOrNull('user_profile'))];
    const reaction_type = entry.text('reaction_type', 'unicode_emoji');
    const emoji_code = emojiCode(plan, entry);
    const key = `${message_id} ${user_id} ${reaction_type} ${emoji_code}`;
    if (message_id === undefined || user_id === undefined || reactions.has(key)) return undefined;
    reactions.add(key);
    return {
      id: asId(id),
      realm_id,
      message_id,
      user_id,
      emoji_name: entry.text('emoji_name'),
      emoji_code,
      reaction_type,
    };
  });
  plan.report.count('reactions', count);
  await keyed(tx, plan, 'submessage', tables.rows('zerver_submessage'), (entry, id) => {
    const [message_id, sender_id] = [messageOf(entry, 'message'), users.of(entry.idOrNull('sender'))];
    if (message_id === undefined || sender_id === undefined) return undefined;
    const [msg_type, content] = [entry.text('msg_type', 'widget'), entry.text('content', '')];
    return { id: asId(id), realm_id, message_id, sender_id, msg_type, content };
  });
  const uses = attachments.rows('zerver_attachment').flatMap((entry) =>
    entry.ids('messages').flatMap((message) => {
      const [attachment_id, message_id] = [plan.attachments.of(entry.id('id')), messages.of(message)];
      if (attachment_id === undefined || message_id === undefined) return [];
      if (!stored.has(attachment_id) || !gathered.ids.has(message_id)) return [];
      return [{ realm_id, attachment_id, message_id }];
    }),
  );
  await insertWhole(tx, 'attachment_use', unique(uses));
}

/** Stores who has read what: everything but what is unread, up to the newest message. */
export async function importReading(
  tx: WriteTx,
  { realmId: realm_id }: Plan,
  gathered: Gathered,
  readers: Iterable<readonly [user: UserId, conversation: RecipientId]>,
): Promise<void> {
  const rows: Omit<WholeRow<'read_interval'>, 'id'>[] = [];
  for (const [user_id, recipient_id] of readers) {
    const newest = gathered.newest.get(recipient_id);
    if (newest === undefined) continue;
    let first_id = 1;
    for (const id of (gathered.unread.get(`${user_id} ${recipient_id}`) ?? []).toSorted((a, b) => a - b)) {
      if (id > first_id) rows.push({ realm_id, user_id, recipient_id, first_id, last_id: id - 1 });
      first_id = id + 1;
    }
    if (first_id <= newest) rows.push({ realm_id, user_id, recipient_id, first_id, last_id: newest });
  }
  for (const chunk of inChunks(rows, 1000)) {
    const ids = await freshIds(tx, 'read_interval', chunk.length);
    await insertWhole(
      tx,
      'read_interval',
      chunk.map((row, index) => ({ id: ids[index] ?? 0, ...row })),
    );
  }
}
