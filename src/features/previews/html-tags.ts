/** A start tag of a fetched page. */
export interface Tag {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  /** Index after the tag. */
  readonly end: number;
}

/** Elements whose content is not parsed as markup. */
const RAW = new Map(
  ['script', 'style', 'noscript', 'template', 'textarea'].map((name) => [name, new RegExp(`</${name}`, 'gi')]),
);
const NAME = /[a-zA-Z][^\s/>]*/y;
const ATTRIBUTE = /[\s/]*([^\s/>=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"']+)))?/y;
/** Most attributes of a tag that are read. */
const MAX_ATTRIBUTES = 50;

/**
 * Yields the start tags of a page, in order. It never goes back, so its time grows linearly with the length, whatever
 * the page contains.
 */
export function* startTags(html: string): Generator<Tag> {
  for (let at = html.indexOf('<'); at !== -1; ) {
    if (html.startsWith('<!--', at)) {
      at = indexAfter(html, '-->', at + 4);
    } else {
      const tag = readTag(html, at + 1);
      if (tag) yield tag;
      at = tag ? afterContent(html, tag) : at + 1;
    }
    at = html.indexOf('<', at);
  }
}

function readTag(html: string, start: number): Tag | undefined {
  NAME.lastIndex = start;
  const name = NAME.exec(html)?.[0].toLowerCase();
  if (name === undefined) return undefined;
  const attributes = new Map<string, string>();
  let end = NAME.lastIndex;
  for (let count = 0; count < MAX_ATTRIBUTES; count++) {
    ATTRIBUTE.lastIndex = end;
    const match = ATTRIBUTE.exec(html);
    if (!match) break;
    const [, key = '', double, single, bare = ''] = match;
    if (!attributes.has(key.toLowerCase())) attributes.set(key.toLowerCase(), double ?? single ?? bare);
    end = ATTRIBUTE.lastIndex;
  }
  return { name, attributes, end };
}

function afterContent(html: string, { name, end }: Tag): number {
  const close = RAW.get(name);
  if (!close) return end;
  close.lastIndex = end;
  return close.test(html) ? close.lastIndex : html.length;
}

function indexAfter(html: string, text: string, from: number): number {
  const index = html.indexOf(text, from);
  return index === -1 ? html.length : index + text.length;
}
