import { foldCase } from '#kernel/text';
import type { Narrow, Term } from '../../messages/index.ts';

/** Functions that look up names in a search. */
export interface SearchNames {
  channelNamed(name: string): number | undefined;
  /** Finds a person by name or e-mail address; "me" is the reader. */
  personNamed(name: string): number | undefined;
}

const OPERATORS: Readonly<Record<string, string>> = {
  channel: 'channel',
  stream: 'channel',
  channels: 'channels',
  streams: 'channels',
  topic: 'topic',
  subject: 'topic',
  sender: 'sender',
  from: 'sender',
  dm: 'dm',
  'pm-with': 'dm',
  'dm-including': 'dm-including',
  is: 'is',
  in: 'in',
  has: 'has',
  near: 'near',
  id: 'id',
};
/** Matches an operator with its operand, quoted if it contains spaces; or words. */
const PIECE = /(-?)([a-z-]+):(?:"([^"]*)"|(\S*))|"[^"]*"|\S+/giu;

/**
 * Parses a search into conditions: `channel:general from:mia soup` is two conditions and a word. All words become one
 * condition.
 */
export function parseSearch(text: string, names: SearchNames): Narrow {
  const terms: Term[] = [];
  const words: string[] = [];
  for (const [whole, minus = '', word = '', quoted, bare] of text.matchAll(PIECE)) {
    const operator = OPERATORS[foldCase(word)];
    const operand = (quoted ?? bare ?? '').trim();
    if (operator === undefined || operand === '') words.push(whole);
    else terms.push({ operator, operand: operandOf(operator, operand, names), ...(minus !== '' && { negated: true }) });
  }
  return words.length === 0 ? terms : [...terms, { operator: 'search', operand: words.join(' ') }];
}

/** An unknown name is kept as it is, so that the server reports it. */
function operandOf(operator: string, operand: string, names: SearchNames): Term['operand'] {
  const name = operand.replaceAll('+', ' ');
  if (operator === 'channel') return names.channelNamed(name) ?? name;
  if (operator === 'sender') return names.personNamed(name) ?? name;
  if (operator !== 'dm' && operator !== 'dm-including') return name;
  const ids = name.split(',').map((one) => names.personNamed(one.trim()));
  return ids.every((id) => id !== undefined) ? ids.toSorted((a, b) => a - b) : name;
}

/** Formats a condition as it is typed in a search. */
export function termText(term: Term, nameOf: (operator: string, operand: Term['operand']) => string): string {
  if (term.operator === 'search' && term.negated !== true) return String(term.operand);
  const name = nameOf(term.operator, term.operand);
  const quoted = /\s/u.test(name) ? `"${name}"` : name;
  return `${term.negated === true ? '-' : ''}${term.operator}:${quoted}`;
}
