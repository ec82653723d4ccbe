/** Characters by their HTML entity. */
const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&nbsp;': ' ',
};

/** Removes HTML comments from Markdown; issue templates contain them as hints. */
export function withoutComments(text: string): string {
  const [before = '', ...parts] = text.split('<!--');
  const shown = parts.map((part) => {
    const end = part.indexOf('-->');
    // A comment without an end stays.
    return end < 0 ? `<!--${part}` : part.slice(end + '-->'.length).replace(/^\n+/, '\n');
  });
  return parts.length === 0 ? text : [before, ...shown].join('').trim();
}

/** Converts HTML of a service to lines of plain text. */
export function textOfHtml(html: string): string {
  return html
    .replaceAll(/<br\s*\/?>|<\/(?:p|div|li|h\d)>/gi, '\n')
    .replaceAll(/<[^<>]*>/g, '')
    .replaceAll(/&(?:amp|lt|gt|quot|#39|nbsp);/g, (entity) => ENTITIES[entity] ?? entity)
    .replaceAll(/\n\s*\n\s*/g, '\n\n')
    .trim();
}
