/** Characters that HTML writes by name. */
const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&nbsp;': ' ',
};

/** The text of HTML that a service sends, in lines, without its markup. */
export function textOfHtml(html: string): string {
  return html
    .replaceAll(/<br\s*\/?>|<\/(?:p|div|li|h\d)>/gi, '\n')
    .replaceAll(/<[^<>]*>/g, '')
    .replaceAll(/&(?:amp|lt|gt|quot|#39|nbsp);/g, (entity) => ENTITIES[entity] ?? entity)
    .replaceAll(/\n\s*\n\s*/g, '\n\n')
    .trim();
}
