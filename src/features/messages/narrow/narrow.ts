import type { Actor, RealmRef } from '#kernel/auth';
import { Unauthorized } from '#kernel/errors';
import { asId, MAX_ID, type ChannelId, type MessageId, type UserId } from '#kernel/ids';
import { isGuest } from '#kernel/permissions';
import type { ReadTx } from '#kernel/store';
import { foldCase } from '#kernel/text';
import {
  type ChannelRow,
  findChannel,
  findChannelsByName,
  hasSharedHistory,
  mayKnow,
  mayRead,
  standingIn,
} from '#features/channels';
import { groupsOf } from '#features/groups';
import { findDirectRecipient, participantsOf } from '#features/recipients';
import { findByVisibleEmails, findUser, findUsers } from '#features/users';
import { accessMessages } from '../access.ts';
import { BadNarrow } from '../errors.ts';
import { conversationOf } from '../queries.ts';
import { parseSearch, type Search } from '../search/words.ts';
import type { MessageRow } from '../tables.ts';
import { EMPTY_TOPIC_NAME } from '../wire.ts';
import { directLists, mentionLists } from './lists/queries.ts';
import type { Lists } from './merged/queries.ts';
import * as where from './queries.ts';
import { asksNoMarks, assertOneKind, type Term, topicKey, withTerm } from './terms.ts';

/** A narrow, understood for one reader. */
export interface Narrow {
  readonly selection: where.Selection;
  /** The conditions of the terms alone, without the question of what the reader has received. */
  readonly terms: readonly where.Condition[];
  /** Nothing can match, although nothing is wrong. */
  readonly isEmpty: boolean;
  readonly search: Search | undefined;
  readonly isDirect: boolean;
  /** Channels that the narrow names; their muting does not hide what is unread in them. */
  readonly channelIds: readonly ChannelId[];
}

interface Looking {
  readonly tx: ReadTx;
  readonly realm: RealmRef;
  readonly actor: Actor | null;
  readonly host: string;
  readonly reader: Omit<where.Reader, 'groups'>;
  /** The reader with the groups that let into channels and are mentioned; read where they matter. */
  readonly withGroups: () => Promise<where.Reader>;
}

/** A term as a condition, with what else it says. */
interface Resolved {
  readonly condition: where.Condition;
  readonly channel?: ChannelRow;
  /** Whether the term opens messages that were never received. */
  readonly history?: boolean;
  readonly isNarrow?: boolean;
  readonly isEmpty?: boolean;
  /** Where all that the term lets through stands in order. */
  readonly lists?: readonly Lists[];
  /** Whether these hold nothing else, and only what the reader has received. */
  readonly areListsExact?: boolean;
}

const UNKNOWN_READER = asId<UserId>(0);

/** What a narrow means for a reader; a null actor is a spectator. Contract register 6.3 to 6.6. */
export async function resolveNarrow(
  tx: ReadTx,
  realm: RealmRef,
  actor: Actor | null,
  given: readonly Term[],
  host: string,
): Promise<Narrow> {
  if (!actor) assertForSpectators(given);
  const reader = { userId: actor?.userId ?? UNKNOWN_READER, isGuest: !actor || isGuest(actor) };
  const withGroups = async () => ({ ...reader, groups: actor ? await groupsOf(tx, realm, actor) : new Set<never>() });
  const looking: Looking = { tx, realm, actor, host, reader, withGroups };
  const terms = await withConversation(looking, actor ? given : given.filter((term) => term.operator !== 'in'));
  assertOneKind(terms);
  const search = searchOf(terms);
  const resolved: Resolved[] = [];
  let isTopicFirst = true;
  for (const term of terms.filter(({ operator }) => operator !== 'search')) {
    const one = await resolveTerm(looking, term, isTopicFirst);
    if (term.operator === 'topic') isTopicFirst = false;
    resolved.push(term.negated && !isNoCondition(term) ? { condition: where.negation(one.condition) } : one);
  }
  const hits = search && search.words.length > 0 ? [where.hasWords(tx, search.words)] : [];
  const found = searchConditions(tx, search, terms);
  const others = [...resolved.map((one) => one.condition), ...found];
  const conditions = [...others, ...hits];
  const history = resolved.findLast((one) => one.history !== undefined)?.history === true && asksNoMarks(terms);
  const isDirect = terms.some((term) => !term.negated && isDirectTerm(term));
  const base = await baseOf(looking, history, isDirect);
  const channels = resolved.flatMap((one) => one.channel ?? []);
  const listed = resolved.find((one) => one.lists);
  const unlisted = resolved.filter((one) => one !== listed).map((one) => one.condition);
  return {
    selection: {
      conditions: [...conditions, ...base],
      isNarrow: search !== undefined || resolved.some((one) => one.isNarrow === true),
      ...(listed?.lists && {
        lists: listed.lists,
        // To say what a list says makes PostgreSQL expect so few in it that it reads the whole.
        beyondLists: listed.areListsExact ? [...unlisted, ...found, ...hits] : [...conditions, ...base],
      }),
      ...(search && hits.length > 0 && { search: { words: search.words, others: [...others, ...base] } }),
    },
    terms: conditions,
    isEmpty: resolved.some((one) => one.isEmpty) || new Set(channels.map((channel) => channel.id)).size > 1,
    search,
    isDirect,
    channelIds: channels.map((channel) => channel.id),
  };
}

/**
 * Messages of any time where the reader may see the past; else what has been received and is still open, which direct
 * messages are for who takes part.
 */
async function baseOf(
  { tx, actor, withGroups }: Looking,
  history: boolean,
  isDirect: boolean,
): Promise<readonly where.Condition[]> {
  if (!actor) return [where.inWebPublicChannel];
  if (isDirect) return [where.isDirect, where.includesPerson(actor.userId)];
  return history ? [] : [where.receivedAndOpen(tx, await withGroups())];
}

/** Terms that let everything through, negated or not: contract register 6.3. */
function isNoCondition({ operator, operand }: Term): boolean {
  return operator === 'near' || (operator === 'in' && operand === 'all');
}

function isDirectTerm({ operator, operand }: Term): boolean {
  if (operator === 'is') return operand === 'dm' || operand === 'private';
  return operator === 'dm' || operator === 'dm-including' || operator === 'group-pm-with';
}

const SPECTATOR_OPERATORS = new Set([
  'channel',
  'channels',
  'topic',
  'sender',
  'has',
  'search',
  'near',
  'id',
  'with',
  'in',
]);

/** Spectators look at web-public channels, and say so. Contract surrounding 4.7. */
function assertForSpectators(terms: readonly Term[]): void {
  const isWebPublic = ({ operator, operand, negated }: Term) =>
    operator === 'channels' && operand === 'web-public' && !negated;
  const isAllowed = ({ operator, operand }: Term) =>
    (SPECTATOR_OPERATORS.has(operator) && (operator !== 'in' || operand === 'home')) ||
    (operator === 'is' && operand === 'resolved');
  if (!terms.some(isWebPublic) || !terms.every(isAllowed)) throw Unauthorized();
}

const CONVERSATION = new Set(['channel', 'topic', 'dm']);

/** The terms with `with` replaced by the conversation its message is in now. Contract register 6.5. */
async function withConversation(looking: Looking, terms: readonly Term[]): Promise<readonly Term[]> {
  const term = withTerm(terms);
  if (!term) return terms;
  const others = terms.filter((other) => other !== term);
  const id = digits(term.operand);
  if (id === undefined) throw BadNarrow({ desc: "Invalid 'with' operator" });
  const { tx, realm, actor } = looking;
  const [target] = id > MAX_ID ? [] : await accessMessages(tx, realm, actor, [asId<MessageId>(id)]);
  if (target) {
    const kept = others.filter((other) => !CONVERSATION.has(other.operator));
    return [...kept, ...(await conversationTerms(looking, target))];
  }
  const names = (operator: string) => others.some((other) => other.operator === operator);
  if (names('dm') || (names('channel') && names('topic'))) return others;
  throw BadNarrow({ desc: "Invalid 'with' operator" });
}

async function conversationTerms({ tx, realm }: Looking, target: MessageRow): Promise<readonly Term[]> {
  if (target.channel_id !== null) {
    return [
      { operator: 'channel', operand: target.channel_id, negated: false },
      { operator: 'topic', operand: target.topic, negated: false },
    ];
  }
  const key = (await conversationOf(tx, realm.id, [target.recipient_id])).get(target.recipient_id);
  return [{ operator: 'dm', operand: participantsOf({ participants_key: key ?? null }) ?? [], negated: false }];
}

function searchOf(terms: readonly Term[]): Search | undefined {
  const texts = terms.filter((term) => term.operator === 'search' && !term.negated).map((term) => String(term.operand));
  return texts.length === 0 ? undefined : parseSearch(texts);
}

function searchConditions(tx: ReadTx, search: Search | undefined, terms: readonly Term[]): readonly where.Condition[] {
  const negated = terms.filter((term) => term.operator === 'search' && term.negated);
  return [
    ...(search ? literalConditions(tx, search) : []),
    ...negated.map((term) => where.negation(all(textConditions(tx, parseSearch([String(term.operand)]))))),
  ];
}

/** What a search asks for besides its words; one without any asks for nothing. */
function literalConditions(tx: ReadTx, { words, phrases }: Search): readonly where.Condition[] {
  if (words.length === 0 && phrases.length === 0) return [where.never];
  return phrases.map((phrase) => where.contains(tx, phrase));
}

function textConditions(tx: ReadTx, search: Search): readonly where.Condition[] {
  const { words } = search;
  return [...literalConditions(tx, search), ...(words.length > 0 ? [where.hasWords(tx, words)] : [])];
}

function all(conditions: readonly where.Condition[]): where.Condition {
  return where.conjunction(conditions);
}

type Resolver = (looking: Looking, operand: Term['operand'], isTopicFirst: boolean) => Promise<Resolved> | Resolved;

const plain = (condition: where.Condition): Resolved => ({ condition });

const RESOLVERS: Readonly<Record<string, Resolver>> = {
  channel: resolveChannel,
  channels: resolveChannels,
  topic: (_looking, operand, isFirst) =>
    plain(where.withTopic(isFirst ? topicKey(String(operand), EMPTY_TOPIC_NAME) : foldCase(String(operand)))),
  dm: resolveDirect,
  'dm-including': async (looking, operand) => {
    const id = await person(looking, operand);
    const condition = id === looking.reader.userId ? where.isDirect : where.includesPerson(id);
    return { condition, lists: [directLists(looking.reader.userId, id)], areListsExact: true };
  },
  'group-pm-with': async (looking, operand) => {
    const id = await person(looking, operand);
    const condition = where.conjunction([where.isDirect, where.includesPerson(id), where.inGroup]);
    return { condition, lists: [directLists(looking.reader.userId, id)] };
  },
  sender: async (looking, operand) => ({ condition: where.sentBy(await person(looking, operand)), isNarrow: true }),
  mentions: async (looking, operand) => plain(where.withFlag(looking.tx, await person(looking, operand), 'mentioned')),
  is: (looking, operand) => word(IS, 'is', operand)(looking),
  has: (_looking, operand) => plain(word(HAS, 'has', operand)),
  in: (looking, operand) => word(IN, 'in', operand)(looking),
  id: (_looking, operand) => {
    const id = digits(operand);
    if (id === undefined || id > MAX_ID) throw BadNarrow({ desc: 'Invalid message ID' });
    return { condition: where.withId(id), isNarrow: true };
  },
  near: () => plain(where.always),
};

function direct({ reader }: Looking): Resolved {
  return { condition: where.isDirect, lists: [directLists(reader.userId)], areListsExact: true };
}

const IS: Readonly<Record<string, (looking: Looking) => Promise<Resolved> | Resolved>> = {
  dm: direct,
  private: direct,
  starred: ({ tx, reader }) => ({ condition: where.withFlag(tx, reader.userId, 'starred'), isNarrow: true }),
  unread: ({ realm, reader }) => ({ condition: where.isUnread(realm.id, reader.userId), isNarrow: true }),
  mentioned: async ({ tx, withGroups }) => {
    const reader = await withGroups();
    return { condition: where.mentions(tx, reader), isNarrow: true, lists: mentionLists(reader) };
  },
  alerted: ({ tx, reader }) => ({ condition: where.withFlag(tx, reader.userId, 'has_alert_word'), isNarrow: true }),
  resolved: () => plain(where.isResolved),
  followed: ({ reader }) => plain(where.isFollowed(reader.userId)),
  muted: ({ reader }) => plain(where.isMuted(reader.userId)),
};
const HAS: Readonly<Record<string, where.Condition>> = {
  attachment: where.hasAttachment,
  image: where.hasImage,
  link: where.hasLink,
  reaction: where.hasReaction,
};
const IN: Readonly<Record<string, (looking: Looking) => Resolved>> = {
  all: () => plain(where.always),
  home: ({ reader }) => plain(where.negation(where.isMuted(reader.userId))),
};

function word<T>(words: Readonly<Record<string, T>>, operator: string, operand: Term['operand']): T {
  const found = typeof operand === 'string' && Object.hasOwn(words, operand) ? words[operand] : undefined;
  if (found === undefined) throw BadNarrow({ desc: `unknown '${operator}' operand ${String(operand)}` });
  return found;
}

async function resolveTerm(looking: Looking, { operator, operand }: Term, isTopicFirst: boolean): Promise<Resolved> {
  const resolver = Object.hasOwn(RESOLVERS, operator) ? RESOLVERS[operator] : undefined;
  if (!resolver) throw BadNarrow({ desc: `unknown operator ${operator}` });
  return resolver(looking, operand, isTopicFirst);
}

/** An invisible channel is answered like one that does not exist; one known by name only is empty. Contract register 6.4. */
async function resolveChannel(looking: Looking, operand: Term['operand']): Promise<Resolved> {
  const { tx, realm, actor } = looking;
  const channel =
    typeof operand === 'number'
      ? await findChannel(tx, realm.id, asId<ChannelId>(operand > MAX_ID ? 0 : operand))
      : (await findChannelsByName(tx, realm.id, [String(operand)])).get(foldCase(String(operand)));
  if (!actor) {
    if (!channel?.is_web_public) throw BadNarrow({ desc: `unknown web-public channel ${String(operand)}` });
    return { condition: where.inConversation(channel.recipient_id), channel, history: true, isNarrow: true };
  }
  const standing = channel && (await standingIn(tx, realm, actor, channel));
  if (!channel || !standing || !mayKnow(channel, standing))
    throw BadNarrow({ desc: `unknown channel ${String(operand)}` });
  const isReadable = mayRead(channel, standing);
  return {
    condition: where.inConversation(channel.recipient_id),
    channel,
    history: isReadable && hasSharedHistory(channel),
    isNarrow: true,
    isEmpty: !isReadable,
  };
}

function resolveChannels({ reader }: Looking, operand: Term['operand']): Resolved {
  const conditions: Readonly<Record<string, where.Condition>> = {
    public: where.inPublicChannel,
    'web-public': where.inWebPublicChannel,
    archived: where.inArchivedChannel,
  };
  const condition = typeof operand === 'string' && Object.hasOwn(conditions, operand) ? conditions[operand] : undefined;
  if (!condition) throw BadNarrow({ desc: `unknown channels operand ${String(operand)}` });
  return operand === 'archived' ? { condition } : { condition, history: !reader.isGuest };
}

async function resolveDirect(looking: Looking, operand: Term['operand']): Promise<Resolved> {
  const { tx, realm, reader } = looking;
  const people = await peopleOf(looking, operand);
  if (people.length === 0) return { condition: where.never, isEmpty: true };
  const recipient = await findDirectRecipient(tx, realm.id, [...people, reader.userId]);
  if (recipient === undefined) return { condition: where.never, isEmpty: true };
  return { condition: where.inConversation(recipient), isNarrow: true };
}

async function peopleOf({ tx, realm, actor, host }: Looking, operand: Term['operand']): Promise<readonly UserId[]> {
  if (typeof operand === 'string') {
    const emails = operand.split(',').map((email) => email.trim());
    const found = await findByVisibleEmails(tx, realm, actor, emails, host);
    return emails.map((email) => {
      const row = found.get(foldCase(email));
      if (!row) throw BadNarrow({ desc: `unknown user in ${operand}` });
      return row.id;
    });
  }
  const ids = (typeof operand === 'number' ? [operand] : operand).map((id) => asId<UserId>(id));
  const found = await findUsers(tx, realm.id, ids);
  if (ids.some((id) => !found.has(id))) throw BadNarrow({ desc: `unknown user in [${ids.join(', ')}]` });
  return ids;
}

async function person({ tx, realm, actor, host }: Looking, operand: Term['operand']): Promise<UserId> {
  const row =
    typeof operand === 'number'
      ? await findUser(tx, realm.id, asId<UserId>(operand > MAX_ID ? 0 : operand))
      : (await findByVisibleEmails(tx, realm, actor, [String(operand)], host)).get(foldCase(String(operand).trim()));
  if (!row) throw BadNarrow({ desc: `unknown user ${String(operand)}` });
  return row.id;
}

/** The number that a text of digits, or a number, stands for. */
function digits(operand: Term['operand']): number | undefined {
  if (typeof operand === 'number') return operand >= 0 ? operand : undefined;
  return typeof operand === 'string' && /^\d{1,15}$/.test(operand) ? Number(operand) : undefined;
}
