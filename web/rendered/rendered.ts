import { judge } from './allowed.ts';
import { dateAndTime, t, type TimeStyle } from '../words/index.ts';
import { emojiCharacter } from './emoji.ts';
import { onlyParagraph } from './only-paragraph.ts';

/** Deepest nesting and most elements of one message; beyond them only text is kept. */
const MAX_DEPTH = 100;
const MAX_NODES = 20_000;
/** Elements whose marks, bars and columns are on the side where their text begins. */
const DIRECTED: ReadonlySet<string> = new Set(['ul', 'ol', 'blockquote', 'table']);
/** Name of the attribute that replaces `style` during parsing. */
export const STYLE = 'data-given-style';
const MATHML = 'http://www.w3.org/1998/Math/MathML';

interface Policy {
  createHTML(text: string): unknown;
}
interface PolicyFactory {
  createPolicy(name: string, rules: { readonly createHTML: (text: string) => string }): Policy;
}

/**
 * The only trusted-types policy that may parse HTML: the result is copied element by element, never put into the page
 * itself.
 */
const policy: Policy = makePolicy();

function makePolicy(): Policy {
  const factory: unknown = Reflect.get(globalThis, 'trustedTypes');
  const rules = { createHTML: (text: string) => text };
  return isFactory(factory) ? factory.createPolicy('rendered', rules) : rules;
}

function isFactory(value: unknown): value is PolicyFactory {
  return typeof value === 'object' && value !== null && 'createPolicy' in value;
}

/**
 * Builds nodes from server HTML; no other code puts it into the page. It is parsed in an inert document and rebuilt
 * from what is known to be harmless (`allowed.ts`).
 */
export function renderedNodes(html: string): DocumentFragment {
  const into = document.createDocumentFragment();
  const words = onlyParagraph(html);
  if (words === undefined) copyAll(parsed(withoutStyles(html)), into, { left: MAX_NODES }, 0);
  else into.appendChild(document.createElement('p')).textContent = words;
  return into;
}

function parsed(html: string): HTMLElement {
  // The parameter's declared type does not know trusted types.
  return new DOMParser().parseFromString(policy.createHTML(html) as string, 'text/html').body;
}

/** Parses HTML from anywhere, for code that reads its text: in an inert document that is never shown. */
export function foreignNodes(html: string): Pick<HTMLElement, 'nodeName' | 'nodeValue' | 'childNodes'> {
  return parsed(withoutStyles(html));
}

/**
 * Renames style and handler attributes before parsing: although none takes effect, the content security policy would
 * report each.
 */
function withoutStyles(html: string): string {
  return html.replace(/<[^>]*>/g, (tag) =>
    tag.replace(/ style=/gi, ` ${STYLE}=`).replace(/([\s/"'])on[a-z]+(?=\s*=)/gi, '$1data-not'),
  );
}

/**
 * Returns the text of server HTML, for previews in one line, without what spoilers hide. Pictures are named, and times
 * are those of the reader.
 */
export function renderedText(html: string, style?: TimeStyle): string {
  const nodes = renderedNodes(html);
  for (const hidden of nodes.querySelectorAll('.spoiler-content')) hidden.remove();
  for (const header of nodes.querySelectorAll('.spoiler-header'))
    if (header.textContent?.trim() === '') header.textContent = t('spoiler.title');
  for (const image of nodes.querySelectorAll('img')) image.replaceWith(image.alt);
  if (style) for (const time of nodes.querySelectorAll('time')) time.textContent = timeIn(time, style);
  return nodes.textContent ?? '';
}

/** Returns the time of an element as the reader writes times; its text if it has none. */
export function timeIn(element: HTMLTimeElement, style: TimeStyle): string {
  const ms = Date.parse(element.dateTime);
  return Number.isNaN(ms) ? (element.textContent ?? '') : dateAndTime(ms / 1000, style);
}

function copyAll(from: Node, into: Node, budget: { left: number }, depth: number): void {
  for (const child of from.childNodes) {
    if (child instanceof Text) into.appendChild(document.createTextNode(child.data));
    else if (child instanceof Element) copy(child, into, budget, depth);
  }
}

function copy(element: Element, into: Node, budget: { left: number }, depth: number): void {
  if (depth >= MAX_DEPTH || budget.left <= 0) {
    into.appendChild(document.createTextNode(element.textContent ?? ''));
    return;
  }
  budget.left -= 1;
  const attributes = Object.fromEntries(
    [...element.attributes].map(({ name, value }) => [name === STYLE ? 'style' : name, value]),
  );
  const verdict = judge(element.localName, attributes, location.origin);
  if (verdict === 'nothing') return;
  if (verdict === 'inside') return copyAll(element, into, budget, depth + 1);
  const isMath = element.namespaceURI === MATHML;
  const built = isMath
    ? document.createElementNS(MATHML, element.localName)
    : document.createElement(element.localName);
  for (const [name, value] of Object.entries(verdict.keep)) built.setAttribute(name, value);
  if (verdict.styles && built instanceof HTMLElement)
    for (const [name, value] of Object.entries(verdict.styles)) built.style.setProperty(name, value);
  if (built instanceof HTMLImageElement) built.loading = 'lazy';
  if (DIRECTED.has(element.localName)) built.setAttribute('dir', 'auto');
  const emoji = emojiCharacter(/(?:^| )emoji-([0-9a-f-]+)/.exec(verdict.keep['class'] ?? '')?.[1] ?? '');
  if (emoji === undefined) copyAll(element, built, budget, depth + 1);
  else built.appendChild(document.createTextNode(emoji));
  into.appendChild(built);
}
