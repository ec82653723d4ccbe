/** Characters that HTML writes by name. */
const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&nbsp;': ' ',
};

/** A text in Markdown without comments of HTML, by which templates tell writers what they do not want to say. */
export function withoutComments(text: string): string {
  const [before = '', ...parts] = text.split('<!--');
  const shown = parts.map((part) => {
    const end = part.indexOf('-->');
    // A comment that does not end hides nothing.
    return end < 0 ? `<!--${part}` : part.slice(end + '-->'.length).replace(/^\n+/, '\n');
  });
  return parts.length === 0 ? text : [before, ...shown].join('').trim();
}

/** The text of HTML that a service sends, in lines, without its markup. */
export function textOfHtml(html: string): string {
  return html
    .replaceAll(/<br\s*\/?>|<\/(?:p|div|li|h\d)>/gi, '\n')
    .replaceAll(/<[^<>]*>/g, '')
    .replaceAll(/&(?:amp|lt|gt|quot|#39|nbsp);/g, (entity) => ENTITIES[entity] ?? entity)
    .replaceAll(/\n\s*\n\s*/g, '\n\n')
    .trim();
}
