/** Each kind of mark with what stays of the text that it marks. */
const MARKS: readonly (readonly [RegExp, string])[] = [
  [/^[ \t]*(?:```|~~~).*$/gm, ''],
  [/^[ \t]*(?:#{1,6}|>)[ \t]+/gm, ''],
  [/!?\[([^\]\n]*)\]\([^)\n]*\)/g, '$1'],
  [/@_?\*\*([^*|\n]+)(?:\|\d+)?\*\*/g, '@$1'],
  [/(\*\*|~~|`+)(?=\S)(.+?)(?<=\S)\1/g, '$2'],
  [/(?<![\w*])\*(?=\S)([^*\n]+)(?<=\S)\*(?![\w*])/g, '$1'],
];

/** Returns a short text of Markdown without its marks, for a line in a list. */
export function withoutMarks(markdown: string): string {
  return MARKS.reduce((text, [mark, kept]) => text.replace(mark, kept), markdown).trim();
}
