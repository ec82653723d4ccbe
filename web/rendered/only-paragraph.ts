const PARAGRAPH = /^<p>([^<&\0\r]*)<\/p>$/;

/** The text of a message that is one paragraph of words, as most are: it needs no parser, which takes half a millisecond. */
export function onlyParagraph(html: string): string | undefined {
  return PARAGRAPH.exec(html)?.[1];
}
