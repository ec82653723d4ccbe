/** Facts about JSON text that is not parsed, because it may be too large. */
const [QUOTE, COMMA, COLON, BACKSLASH] = [34, 44, 58, 92];
const [LIST, LIST_END, OBJECT, OBJECT_END] = [91, 93, 123, 125];

/** Counts the values of a text, names of members included; stops at one more than `most`. */
export function countParts(text: string, most: number): number {
  let count = 1;
  for (let i = 0; i < text.length && count <= most; i++) {
    const character = text.charCodeAt(i);
    if (character === QUOTE) i = endOfString(text, i);
    else if (character === COMMA || character === COLON || character === LIST || character === OBJECT) count++;
  }
  return count;
}

/** Returns how deeply lists and objects are nested. */
export function nesting(text: string): number {
  let depth = 0;
  let deepest = 0;
  for (let i = 0; i < text.length; i++) {
    const character = text.charCodeAt(i);
    if (character === QUOTE) i = endOfString(text, i);
    else if (character === LIST || character === OBJECT) deepest = Math.max(deepest, ++depth);
    else if (character === LIST_END || character === OBJECT_END) depth--;
  }
  return deepest;
}

/** Index of the quotation mark that ends the string which begins at `start`; the text's length if there is none. */
function endOfString(text: string, start: number): number {
  let end = start;
  do end = text.indexOf('"', end + 1);
  while (end >= 0 && isEscaped((at) => text.charCodeAt(at), end));
  return end < 0 ? text.length : end;
}

/** Whether an odd number of backslashes precedes the character at an index; `codeAt` reads the text. */
export function isEscaped(codeAt: (index: number) => number | undefined, index: number): boolean {
  let first = index;
  while (codeAt(first - 1) === BACKSLASH) first--;
  return (index - first) % 2 === 1;
}
