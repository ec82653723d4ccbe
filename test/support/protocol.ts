import { readFileSync } from 'node:fs';
import { headingSlug } from '#kernel/text';

/**
 * Returns the text below the headings that a source names, as `protocol/saved#snippets`; the whole page where it names
 * no heading.
 */
export function citedText(source: string): string {
  return source
    .split(', ')
    .map((cited) => {
      const [page = '', heading] = cited.split('#');
      const text = readFileSync(new URL(`../../docs/${page}.md`, import.meta.url), 'utf8');
      if (heading === undefined) return text;
      const sections = text.split(/^(?=#+ )/m);
      return sections.find((section) => headingSlug(/^#+ (.*)/.exec(section)?.[1] ?? '') === heading) ?? '';
    })
    .join('\n');
}

/** Returns the code words in the first column of a text's tables. */
export function namesInTables(text: string): readonly string[] {
  const cells = text.split('\n').flatMap((line) => /^\| ([^|]*) \|/.exec(line)?.[1] ?? []);
  return cells.flatMap((cell) => [...cell.matchAll(/`(\w+)`/g)].map(([, name]) => name ?? ''));
}
