import { foldCase } from '#kernel/text';
import type { Conversation } from '../model/index.ts';
import type { Message } from './apply.ts';

/** One condition of a search. Its operand is the ID of a channel or person, IDs of people, or text. */
export interface Term {
  readonly operator: string;
  readonly operand: string | number | readonly number[];
  readonly negated?: boolean;
}

/** Conditions that must all hold. An empty narrow means all messages that the viewer receives. */
export type Narrow = readonly Term[];

/** What the tests of conditions need besides the message. */
export interface NarrowFacts {
  readonly me: number;
  /** Returns the conversation of a message; the people of a direct one are ascending and include the viewer. */
  conversationOf(message: Message): Conversation;
  isMuted(conversation: Conversation): boolean;
  isFollowed(conversation: Conversation): boolean;
}

export const inConversation = (conversation: Conversation): Narrow =>
  'people' in conversation
    ? [{ operator: 'dm', operand: conversation.people }]
    : [
        { operator: 'channel', operand: conversation.channelId },
        { operator: 'topic', operand: conversation.topic },
      ];

/** A key of a narrow: equal for narrows of the same conditions. */
export function narrowKey(narrow: Narrow): string {
  return JSON.stringify(narrow.map(({ operator, operand, negated = false }) => [operator, folded(operand), negated]));
}

function folded(operand: Term['operand']): unknown {
  return typeof operand === 'string' ? foldCase(operand) : operand;
}

/** Returns the terms in the API's form. */
export function toWireNarrow(narrow: Narrow): readonly object[] {
  return narrow.map(({ operator, operand, negated = false }) => ({ operator, operand, negated }));
}

/** Whether a message matches a narrow; undefined where only the server can tell. */
export function matches(narrow: Narrow, message: Message, facts: NarrowFacts): boolean | undefined {
  let isKnown = true;
  for (const term of narrow) {
    const holds = test(term, message, facts);
    if (holds === undefined) isKnown = false;
    else if (holds === (term.negated ?? false)) return false;
  }
  return isKnown ? true : undefined;
}

/** Whether the client can decide without the server which new messages match a narrow. */
export function isLocal(narrow: Narrow): boolean {
  return narrow.every(({ operator, operand }) => operator in TESTS || (operator === 'is' && String(operand) in STATES));
}

type Test = (operand: Term['operand'], message: Message, facts: NarrowFacts) => boolean;

const sameText = (a: string, b: string) => foldCase(a) === foldCase(b);
const sameIds = (a: readonly number[], b: readonly number[]) =>
  a.length === b.length && a.every((id, i) => id === b[i]);
const idsOf = (operand: Term['operand']) =>
  typeof operand === 'object' ? operand : String(operand).split(',').map(Number);

const TESTS: Readonly<Record<string, Test>> = {
  channel: (operand, message) => message.stream_id === Number(operand),
  topic: (operand, message) => message.stream_id !== undefined && sameText(message.subject, String(operand)),
  sender: (operand, message) => message.sender_id === Number(operand),
  id: (operand, message) => message.id === Number(operand),
  dm: (operand, message, facts) => {
    const conversation = facts.conversationOf(message);
    const people = [...new Set([...idsOf(operand), facts.me])].toSorted((a, b) => a - b);
    return 'people' in conversation && sameIds(conversation.people, people);
  },
  'dm-including': (operand, message, facts) => {
    const conversation = facts.conversationOf(message);
    return 'people' in conversation && idsOf(operand).every((id) => conversation.people.includes(id));
  },
  // `near` is the anchor of a link, not a condition.
  near: () => true,
};

const flag =
  (name: string): Test =>
  (_operand, message) =>
    message.flags.includes(name);
const STATES: Readonly<Record<string, Test>> = {
  dm: (_operand, message) => message.stream_id === undefined,
  private: (_operand, message) => message.stream_id === undefined,
  starred: flag('starred'),
  alerted: flag('has_alert_word'),
  mentioned: (_operand, { flags }) => flags.some((one) => MENTIONS.has(one)),
  unread: (_operand, message) => !message.flags.includes('read'),
  resolved: (_operand, message) => message.stream_id !== undefined && message.subject.startsWith('✔ '),
  followed: (_operand, message, facts) => facts.isFollowed(facts.conversationOf(message)),
  muted: (_operand, message, facts) => facts.isMuted(facts.conversationOf(message)),
};
const MENTIONS: ReadonlySet<string> = new Set([
  'mentioned',
  'wildcard_mentioned',
  'topic_wildcard_mentioned',
  'stream_wildcard_mentioned',
]);

function test(term: Term, message: Message, facts: NarrowFacts): boolean | undefined {
  const { operator, operand } = term;
  const one = operator === 'is' ? STATES[String(operand)] : TESTS[operator];
  return one?.(operand, message, facts);
}

/** Returns the channel that a narrow is limited to, by its ID or an unknown name. One that it leaves out does not count. */
export function channelIn(narrow: Narrow): Term['operand'] | undefined {
  return narrow.find(({ operator, negated }) => operator === 'channel' && negated !== true)?.operand;
}

/** Returns the conversation that a narrow consists of; undefined for other narrows. */
export function conversationIn(narrow: Narrow, me: number): Conversation | undefined {
  const find = (operator: string) => narrow.find((term) => term.operator === operator && !term.negated);
  const [channel, topic, dm] = [find('channel'), find('topic'), find('dm')];
  const own = narrow.filter((term) => term.operator !== 'near' && term.operator !== 'with');
  if (channel && topic && own.length === 2) return { channelId: Number(channel.operand), topic: String(topic.operand) };
  if (!dm || own.length !== 1) return undefined;
  return { people: [...new Set([...idsOf(dm.operand), me])].toSorted((a, b) => a - b) };
}
