import type { Narrow, Term } from '../../messages/index.ts';

/** The kind of a feed, which decides its texts and whether reading marks messages read. */
export type FeedKind = 'conversation' | 'feed' | 'mentions' | 'starred' | 'reactions' | 'direct' | 'search';

const KINDS: Readonly<Record<string, FeedKind>> = {
  '': 'feed',
  'is:mentioned': 'mentions',
  'is:starred': 'starred',
  'is:dm': 'direct',
  'is:private': 'direct',
  'has:reaction sender:me': 'reactions',
};

/**
 * Returns the kind of a narrow: one of a topic, channel or people is a conversation; one that has no other name is a
 * search.
 */
export function feedKind(narrow: Narrow, me: number): FeedKind {
  const signOf = ({ negated = false }: Term) => (negated ? '-' : '');
  const named = KINDS[narrow.map((term) => `${signOf(term)}${term.operator}:${nameOf(term, me)}`).join(' ')];
  if (named) return named;
  const operators = narrow.map((term) => signOf(term) + term.operator).join(' ');
  return ['channel', 'channel topic', 'topic channel', 'dm'].includes(operators) ? 'conversation' : 'search';
}

function nameOf({ operator, operand }: Term, me: number): string {
  return operator === 'sender' && operand === me ? 'me' : String(operand);
}

/** Values of `web_mark_read_on_scroll_policy`; 1 is always. */
const [IN_CONVERSATIONS, NEVER] = [2, 3];

/** Whether seeing messages marks them read; search results are never marked. */
export function marksRead(kind: FeedKind, policy: number | undefined): boolean {
  if (policy === NEVER || kind === 'search' || kind === 'starred' || kind === 'reactions') return false;
  return kind === 'conversation' || policy !== IN_CONVERSATIONS;
}
