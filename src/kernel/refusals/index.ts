import { german } from './german/index.ts';

/** Longest message that is compared with patterns, in UTF-16 units. */
const MAX_MESSAGE = 1000;

interface Pattern {
  readonly matches: RegExp;
  readonly text: string;
}

let patterns: readonly Pattern[] | undefined;

/**
 * Returns an error message of the API in the language of who reads it; as it is, where the language or the message is
 * not known here. The API itself answers everybody in English, because clients recognize errors by these texts.
 */
export function refusalIn(language: string, message: string): string {
  return (language === 'de' ? inGerman(message) : undefined) ?? message;
}

function inGerman(message: string): string | undefined {
  if (Object.hasOwn(german, message)) return german[message];
  if (message.length > MAX_MESSAGE) return undefined;
  patterns ??= patternsOf(german);
  for (const { matches, text } of patterns) {
    const values = matches.exec(message)?.groups;
    if (values) return text.replaceAll(/\{(\w+)\}/g, (_, name: string) => valueOf(name, values[name] ?? ''));
  }
  return undefined;
}

/** Why something is refused may be a message itself; other values are what people named. */
function valueOf(name: string, value: string): string {
  return name === 'why' ? (inGerman(value) ?? value) : value;
}

/** Those with the most words of their own are tried first. */
function patternsOf(texts: Readonly<Record<string, string>>): readonly Pattern[] {
  const ownWords = (message: string) => message.replaceAll(/\{\w+\}/g, '').length;
  return Object.entries(texts)
    .filter(([message]) => message.includes('{'))
    .toSorted(([one], [other]) => ownWords(other) - ownWords(one))
    .map(([message, text]) => ({ matches: new RegExp(`^${sourceOf(message)}$`, 's'), text }));
}

function sourceOf(message: string): string {
  return message.replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&').replaceAll(/\{(\w+)\}/g, '(?<$1>.+)');
}
