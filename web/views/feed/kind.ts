import type { Narrow, Term } from '../../messages/index.ts';

/** What a feed is to its reader. */
export type FeedKind = 'conversation' | 'feed' | 'mentions' | 'starred' | 'reactions' | 'direct' | 'search';

const KINDS: Readonly<Record<string, FeedKind>> = {
  '': 'feed',
  'is:mentioned': 'mentions',
  'is:starred': 'starred',
  'is:dm': 'direct',
  'is:private': 'direct',
  'has:reaction sender:me': 'reactions',
};

/** The kind of a narrow: a topic, a channel or people are a conversation; what has no name of its own is a search. */
export function feedKind(narrow: Narrow, me: number): FeedKind {
  const named = KINDS[narrow.map((term) => `${term.operator}:${nameOf(term, me)}`).join(' ')];
  if (named) return named;
  const operators = narrow.map(({ operator, negated = false }) => (negated ? '-' : operator)).join(' ');
  return ['channel', 'channel topic', 'topic channel', 'dm'].includes(operators) ? 'conversation' : 'search';
}

function nameOf({ operator, operand }: Term, me: number): string {
  return operator === 'sender' && operand === me ? 'me' : String(operand);
}

/** `web_mark_read_on_scroll_policy`: always, in conversations only, never. */
const [IN_CONVERSATIONS, NEVER] = [2, 3];

/** Whether looking at messages marks them read. What was searched for never does. */
export function marksRead(kind: FeedKind, policy: number | undefined): boolean {
  if (policy === NEVER || kind === 'search' || kind === 'starred' || kind === 'reactions') return false;
  return kind === 'conversation' || policy !== IN_CONVERSATIONS;
}
