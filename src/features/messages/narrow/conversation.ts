import { participantsOf } from '#features/recipients';
import { asId, MAX_ID, type MessageId } from '#kernel/ids';
import { accessMessages, BadNarrow, conversationOf, type MessageRow } from '../core/index.ts';
import { digits, type Resolving, type Term, withTerm } from './terms.ts';

const CONVERSATION = new Set(['channel', 'topic', 'dm']);

/** Replaces a `with` term by the current conversation of its message. See protocol/narrows#with. */
export async function withConversation(resolving: Resolving, terms: readonly Term[]): Promise<readonly Term[]> {
  const term = withTerm(terms);
  if (!term) return terms;
  const others = terms.filter((other) => other !== term);
  const id = digits(term.operand);
  if (id === undefined) throw BadNarrow({ desc: "Invalid 'with' operator" });
  const { tx } = resolving;
  const [target] = id > MAX_ID ? [] : await accessMessages(tx, [asId<MessageId>(id)]);
  if (target) {
    const kept = others.filter((other) => !CONVERSATION.has(other.operator));
    return [...kept, ...(await conversationTerms(resolving, target))];
  }
  const names = (operator: string) => others.some((other) => other.operator === operator);
  if (names('dm') || (names('channel') && names('topic'))) return others;
  throw BadNarrow({ desc: "Invalid 'with' operator" });
}

async function conversationTerms({ tx }: Resolving, target: MessageRow): Promise<readonly Term[]> {
  if (target.channel_id !== null) {
    return [
      { operator: 'channel', operand: target.channel_id, negated: false },
      { operator: 'topic', operand: target.topic, negated: false },
    ];
  }
  const key = (await conversationOf(tx, [target.recipient_id])).get(target.recipient_id);
  return [{ operator: 'dm', operand: participantsOf({ participants_key: key ?? null }) ?? [], negated: false }];
}
