import { MAX_ID } from '#kernel/ids';
import { lookUp } from '#kernel/lists';
import { foldCase, isUnnamed } from '#kernel/text';
import { BadNarrow } from '../core/index.ts';
import { resolveChannel, resolveChannels } from './channel-terms.ts';
import { directLists, mentionLists } from './lists/queries.ts';
import { digits, type Resolving, plain, type Resolved, type Term } from './terms.ts';
import { person, resolveDirect } from './people-terms.ts';
import * as where from './queries.ts';

type Resolver = (resolving: Resolving, operand: Term['operand'], isTopicFirst: boolean) => Promise<Resolved> | Resolved;

const RESOLVERS: Readonly<Record<string, Resolver>> = {
  channel: resolveChannel,
  channels: resolveChannels,
  topic: (_resolving, operand, isFirst) => {
    const topic = String(operand);
    return plain(where.withTopic(isFirst && isUnnamed(topic) ? '' : foldCase(topic)));
  },
  dm: resolveDirect,
  'dm-including': async (resolving, operand) => {
    const id = await person(resolving, operand);
    const condition = id === resolving.reader.userId ? where.isDirect : where.includesPerson(id);
    return { condition, lists: [directLists(resolving.reader.userId, id)], areListsExact: true };
  },
  'group-pm-with': async (resolving, operand) => {
    const id = await person(resolving, operand);
    const condition = where.conjunction([where.isDirect, where.includesPerson(id), where.inGroup]);
    return { condition, lists: [directLists(resolving.reader.userId, id)] };
  },
  sender: async (resolving, operand) => ({ condition: where.sentBy(await person(resolving, operand)), isNarrow: true }),
  mentions: async (resolving, operand) =>
    plain(where.withFlag(resolving.tx, await person(resolving, operand), 'mentioned')),
  is: (resolving, operand) => word(IS, 'is', operand)(resolving),
  has: (_resolving, operand) => plain(word(HAS, 'has', operand)),
  in: (resolving, operand) => word(IN, 'in', operand)(resolving),
  id: (_resolving, operand) => {
    const id = digits(operand);
    if (id === undefined || id > MAX_ID) throw BadNarrow({ desc: 'Invalid message ID' });
    return { condition: where.withId(id), isNarrow: true };
  },
  near: () => plain(where.always),
};

function direct({ reader }: Resolving): Resolved {
  return { condition: where.isDirect, lists: [directLists(reader.userId)], areListsExact: true };
}

const IS: Readonly<Record<string, (resolving: Resolving) => Promise<Resolved> | Resolved>> = {
  dm: direct,
  private: direct,
  starred: ({ tx, reader }) => ({ condition: where.withFlag(tx, reader.userId, 'starred'), isNarrow: true }),
  unread: ({ tx, reader }) => ({ condition: where.isUnread(tx.realmId, reader.userId), isNarrow: true }),
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
const IN: Readonly<Record<string, (resolving: Resolving) => Resolved>> = {
  all: () => plain(where.always),
  home: ({ reader }) => plain(where.negation(where.isMuted(reader.userId))),
};

function word<T>(words: Readonly<Record<string, T>>, operator: string, operand: Term['operand']): T {
  const found = typeof operand === 'string' ? lookUp(words, operand) : undefined;
  if (found === undefined) throw BadNarrow({ desc: `unknown '${operator}' operand ${String(operand)}` });
  return found;
}

/** Resolves a term; the caller applies its negation. See protocol/narrows#operators, protocol/narrows#faults. */
export async function resolveTerm(
  resolving: Resolving,
  { operator, operand }: Term,
  isTopicFirst: boolean,
): Promise<Resolved> {
  const resolver = lookUp(RESOLVERS, operator);
  if (!resolver) throw BadNarrow({ desc: `unknown operator ${operator}` });
  return resolver(resolving, operand, isTopicFirst);
}
