import { dirname, join, normalize } from 'node:path/posix';
import { headingSlug } from '#kernel/text';

/** A text file of the repository; its path is relative to the root, with forward slashes. */
export interface Text {
  readonly path: string;
  readonly text: string;
}

/** Headings, as slugs, of the pages of docs/ that can be cited, by the page's name in citations. */
type Pages = ReadonlyMap<string, readonly string[]>;

/**
 * Matches a citation such as `protocol/typing#direct` or `security#holes`: a page below docs/ without its extension,
 * and a heading.
 */
const CITATION = /(?<![\w/.-])(?<page>protocol\/[a-z][a-z-]*|security(?=#))(?:#(?<heading>[\w-]+))?(?![\w/-]|\.md)/g;
const DECISION = /\bdecisions? (?<number>\d{4})\b/g;
const LINK = /\]\((?<to>[^()\s]+\.md)(?:#(?<heading>[^()\s]+))?\)/g;
/** Matches the source of a declaration. */
const SOURCE = /\b(?:source|SOURCE)(?:: string)?(?::| =) '(?<said>[^']*)'/g;
const SAID = /^protocol\/[a-z-]+(?:#[\w-]+)?(?:, protocol\/[a-z-]+(?:#[\w-]+)?)*$/;

// Built from pieces, so that this file does not break its own rule. A comment may break a line within a citation.
const gap = '(?:[ \\t]*\\n[ \\t]*(?:\\*|//)?[ \\t]*| )';
const parts = ['operations', 'surrounding', 'register', 'markdown', 'clients'].join('|');
const OLD = new RegExp(
  [
    `\\b[Cc]ontract${gap}(?:(?:${parts}|decisions?|README)\\b|\\d|W\\d)`,
    `\\b[Aa]pi \\d+\\.\\d+`,
    `(?<![\\w/#.-])(?:${parts})${gap}\\d+\\.\\d+`,
    `\\bsecurity${gap}\\d`,
    `(?<![\\w/#.'-])W(?:[1-9]|1[01])\\b`,
  ].join('|'),
  'g',
);

/** Returns the faults of all citations in the texts of a repository, each as `path:line: what`. */
export function findCitationFaults(texts: readonly Text[]): readonly string[] {
  const pages = citedPages(texts);
  const paths = new Set(texts.map(({ path }) => path));
  const decisions = new Set([...paths].flatMap((path) => /^docs\/decisions\/(\d{4})-/.exec(path)?.slice(1) ?? []));
  const headings = new Map(texts.filter(isMarkdown).map(({ path, text }) => [path, new Set(slugsOf(text))]));
  return [
    ...doubled(pages),
    ...texts.flatMap((text) => [
      ...hits(text, CITATION, ({ page = '', heading }) => leadsNowhere(pages, page, heading)),
      ...hits(text, OLD, (_, hit) => `cites what is not in the repository: ${hit.replace(/\s+/g, ' ')}`),
      ...hits(text, DECISION, ({ number = '' }) => (decisions.has(number) ? undefined : `no decision ${number}`)),
      ...(isMarkdown(text) ? hits(text, LINK, (link) => brokenLink(text.path, headings, paths, link)) : []),
      ...(text.path.startsWith('src/') ? hits(text, SOURCE, ({ said = '' }) => noSource(text.path, said)) : []),
    ]),
  ];
}

function citedPages(texts: readonly Text[]): Pages {
  const cited = texts.filter(({ path }) => /^docs\/(?:protocol\/[^/]+|security)\.md$/.test(path));
  return new Map(cited.map(({ path, text }) => [path.slice('docs/'.length, -'.md'.length), slugsOf(text)]));
}

/** Returns headings that a page has twice, so that a link to them is ambiguous. */
function doubled(pages: Pages): readonly string[] {
  return [...pages].flatMap(([page, headings]) =>
    headings
      .filter((heading, index) => headings.indexOf(heading) !== index)
      .map((heading) => `docs/${page}.md: two headings are #${heading}`),
  );
}

function leadsNowhere(pages: Pages, page: string, heading: string | undefined): string | undefined {
  const headings = pages.get(page);
  if (headings === undefined) return `no page docs/${page}.md`;
  return heading === undefined || headings.includes(heading) ? undefined : `no heading #${heading} in docs/${page}.md`;
}

type Groups = Readonly<Record<string, string | undefined>>;

function brokenLink(
  path: string,
  headings: ReadonlyMap<string, ReadonlySet<string>>,
  paths: ReadonlySet<string>,
  { to = '', heading }: Groups,
): string | undefined {
  if (to.includes('://')) return undefined;
  const target = normalize(join(dirname(path), to));
  if (!paths.has(target)) return `no page ${target}`;
  return heading === undefined || headings.get(target)?.has(heading)
    ? undefined
    : `no heading #${heading} in ${target}`;
}

function noSource(path: string, said: string): string | undefined {
  return path.endsWith('.test.ts') || SAID.test(said) ? undefined : `a source that is no citation: ${said}`;
}

function hits(
  { path, text }: Text,
  pattern: RegExp,
  fault: (groups: Groups, hit: string) => string | undefined,
): readonly string[] {
  return [...text.matchAll(pattern)].flatMap((hit) => {
    const says = fault(hit.groups ?? {}, hit[0]);
    return says === undefined ? [] : [`${path}:${text.slice(0, hit.index).split('\n').length}: ${says}`];
  });
}

function isMarkdown({ path }: Text): boolean {
  return path.endsWith('.md');
}

/** Returns the slugs of a page's headings in order, one for each heading. Code blocks have none. */
function slugsOf(markdown: string): readonly string[] {
  const prose = markdown.replace(/^```.*?^```/gms, '');
  return [...prose.matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) => headingSlug(heading));
}
