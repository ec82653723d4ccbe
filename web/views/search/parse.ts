import { foldCase } from '#kernel/text';
import type { Narrow, Term } from '../../messages/index.ts';

/** What names are understood with. */
export interface SearchNames {
  channelNamed(name: string): number | undefined;
  /** The ID of a person by name or e-mail address; "me" is the reader. */
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
/** An operator with what it asks for, quoted where it holds spaces; or words. */
const PIECE = /(-?)([a-z-]+):(?:"([^"]*)"|(\S*))|"[^"]*"|\S+/giu;

/** What somebody typed as conditions: `channel:general from:mia soup` is two conditions and a word. Words stay together. */
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

/** A name that nobody has stays as it is: the server says so. */
function operandOf(operator: string, operand: string, names: SearchNames): Term['operand'] {
  const name = operand.replaceAll('+', ' ');
  if (operator === 'channel') return names.channelNamed(name) ?? name;
  if (operator === 'sender') return names.personNamed(name) ?? name;
  if (operator !== 'dm' && operator !== 'dm-including') return name;
  const ids = name.split(',').map((one) => names.personNamed(one.trim()));
  return ids.every((id) => id !== undefined) ? ids.toSorted((a, b) => a - b) : name;
}

/** How a condition is written in a search. */
export function termText(term: Term, nameOf: (operator: string, operand: Term['operand']) => string): string {
  if (term.operator === 'search' && term.negated !== true) return String(term.operand);
  const name = nameOf(term.operator, term.operand);
  const quoted = /\s/u.test(name) ? `"${name}"` : name;
  return `${term.negated === true ? '-' : ''}${term.operator}:${quoted}`;
}
