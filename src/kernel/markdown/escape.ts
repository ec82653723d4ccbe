import { mayHold } from './characters.ts';

// An ampersand that already starts something shaped like an entity stays (protocol/markdown#serialisation).
const bareAmpersand = /&(?!(?:[A-Za-z0-9]+|#[0-9]+|#[xX][0-9a-fA-F]+);)/g;
// Most texts hold nothing to escape, and to see that costs a third of replacing nothing.
const needsEscape = mayHold(/[&<>"]/);

/** Escapes text; quotes stay raw and entities as written stay entities. */
export function escapeText(text: string): string {
  return needsEscape(text) ? escapeMarks(text) : text;
}

/** Escapes the value of an attribute in double quotes. */
export function escapeAttribute(value: string): string {
  return needsEscape(value) ? each('"', '&quot;', escapeMarks(value)) : value;
}

/** Escapes code, where what looks like an entity is escaped too; quotes stay raw. */
export function escapeCode(code: string): string {
  return needsEscape(code) ? escapeAngles(each('&', '&amp;', code)) : code;
}

/** Escapes code of a block without a language word, where quotes are escaped too. */
export function escapePlainCode(code: string): string {
  return each("'", '&#39;', each('"', '&quot;', escapeCode(code)));
}

function escapeMarks(text: string): string {
  return escapeAngles(text.includes('&') ? text.replace(bareAmpersand, '&amp;') : text);
}

function escapeAngles(text: string): string {
  return each('>', '&gt;', each('<', '&lt;', text));
}

/** Replaces one kind of character; kind after kind by hand is several times as fast as all at once with a function. */
function each(character: string, entity: string, text: string): string {
  let escaped = '';
  let done = 0;
  for (let index = text.indexOf(character); index !== -1; index = text.indexOf(character, done)) {
    escaped += text.slice(done, index) + entity;
    done = index + 1;
  }
  return done === 0 ? text : escaped + text.slice(done);
}
