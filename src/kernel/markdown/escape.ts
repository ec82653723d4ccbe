import { mayHold } from './characters.ts';

// An ampersand that does not begin something like an entity (protocol/markdown#serialisation).
const bareAmpersand = /&(?!(?:[A-Za-z0-9]+|#[0-9]+|#[xX][0-9a-fA-F]+);)/g;
// Most texts need no escaping, and this check takes a third of the time of replacing nothing.
const needsEscape = mayHold(/[&<>"]/);

/** Escapes text, except quotes and entities. */
export function escapeText(text: string): string {
  return needsEscape(text) ? escapeMarks(text) : text;
}

/** Escapes the value of an attribute in double quotes, except entities. */
export function escapeAttribute(value: string): string {
  return needsEscape(value) ? each('"', '&quot;', escapeMarks(value)) : value;
}

/** Escapes code, including entities, but not quotes. */
export function escapeCode(code: string): string {
  return needsEscape(code) ? escapeAngles(each('&', '&amp;', code)) : code;
}

/** Escapes code of a block without a language, including quotes. */
export function escapePlainCode(code: string): string {
  return each("'", '&#39;', each('"', '&quot;', escapeCode(code)));
}

function escapeMarks(text: string): string {
  return escapeAngles(text.includes('&') ? text.replace(bareAmpersand, '&amp;') : text);
}

function escapeAngles(text: string): string {
  return each('>', '&gt;', each('<', '&lt;', text));
}

/** Replaces one character; several passes like this are several times as fast as one replacement with a function. */
function each(character: string, entity: string, text: string): string {
  let escaped = '';
  let done = 0;
  for (let index = text.indexOf(character); index !== -1; index = text.indexOf(character, done)) {
    escaped += text.slice(done, index) + entity;
    done = index + 1;
  }
  return done === 0 ? text : escaped + text.slice(done);
}
