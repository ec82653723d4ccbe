const PARAGRAPH = /^<p>([^<&\0\r]*)<\/p>$/;

/**
 * Returns the text of a message that is a single paragraph of plain text, as most are; parsing, which takes half a
 * millisecond, is not needed then.
 */
export function onlyParagraph(html: string): string | undefined {
  return PARAGRAPH.exec(html)?.[1];
}
