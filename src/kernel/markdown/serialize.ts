import { escapeAttribute, escapeText } from './escape.ts';
import { type Attributes, type Element, LINE_BREAK, NO_ATTRIBUTES, type Node } from './tree.ts';

/** Elements on lines of their own (protocol/markdown#serialisation). */
const blockTags: ReadonlySet<string> = new Set(
  'p h1 h2 h3 h4 h5 h6 ul ol li blockquote table thead tbody tr th td pre div video'.split(' '),
);
const voidTags: ReadonlySet<string> = new Set(['img']);

/** The tags written for an element; the closing tag includes the line end after it. */
interface Frame {
  readonly open: string;
  /** The opening tag if the element is the first in a block, with a line end before it where there is one. */
  readonly openFirst: string;
  /** The beginning of the opening tag, after which attributes are written. */
  readonly start: string;
  readonly startFirst: string;
  readonly close: string;
  readonly closeFlat: string;
  readonly isBlock: boolean;
  readonly isVoid: boolean;
}

/** Cached by tag, which saves building five strings for each element. */
const frames = new Map<string, Frame>();

function frameOf(tag: string): Frame {
  const known = frames.get(tag);
  if (known) return known;
  const [isBlock, isVoid] = [blockTags.has(tag), voidTags.has(tag)];
  const closeFlat = isVoid ? '' : `</${tag}>`;
  const start = `<${tag}`;
  const [startFirst, close] = isBlock ? [`\n${start}`, `${closeFlat}\n`] : [start, closeFlat];
  const [open, openFirst] = [`${start}>`, `${startFirst}>`];
  const made = { open, openFirst, start, startFirst, close, closeFlat, isBlock, isVoid };
  frames.set(tag, made);
  return made;
}

/** Writes a finished tree as trimmed HTML, with the line ends that clients expect. */
export function serialize(nodes: readonly Node[]): string {
  const writer = new Writer();
  writer.writeAll(nodes, false, false);
  return writer.html.trim();
}

/** Writes an inline element without attributes that contains only text. */
export function writeAround(tag: string, content: string): string {
  const { open, close } = frameOf(tag);
  return open + escapeText(content) + close;
}

/** Appends to one string; collecting the parts in an array takes three times as long. */
class Writer {
  html = '';

  /** `flat` writes no line ends (for previews); `indent` writes a line end before a block that comes first. */
  writeAll(nodes: readonly Node[], flat: boolean, indent: boolean): void {
    let behindBreak = false;
    for (let index = 0; index < nodes.length; index++) {
      const node = nodes[index];
      if (node === undefined) continue;
      const isFirst = indent && index === 0;
      if (node.type === 'element') this.#writeElement(node, flat, isFirst);
      else if (node.type === 'html') this.html += isFirst && node.block ? `\n${node.html}` : node.html;
      else if (!behindBreak || !isBlankAtEnd(node.text, nodes[index + 1])) this.html += escapeText(node.text);
      behindBreak = node === LINE_BREAK;
    }
  }

  #writeElement(element: Element, around: boolean, isFirst: boolean): void {
    const { tag, attributes, children, preview = false } = element;
    const frame = frameOf(tag);
    const flat = around || preview;
    this.html += opening(frame, attributes, isFirst && !preview);
    if (!frame.isVoid) this.writeAll(children, flat, frame.isBlock && !flat);
    this.html += flat ? frame.closeFlat : frame.close;
  }
}

function opening(frame: Frame, attributes: Attributes, isFirst: boolean): string {
  if (attributes === NO_ATTRIBUTES) return isFirst ? frame.openFirst : frame.open;
  return `${isFirst ? frame.startFirst : frame.start}${written(attributes)}>`;
}

/** Most elements have their attributes in order, and checking that is much faster than sorting. */
function written(attributes: Attributes): string {
  let html = '';
  let before = '';
  for (const name in attributes) {
    if (name < before) return written(sorted(attributes));
    const value = attributes[name] ?? '';
    html += value === name ? ` ${name}` : ` ${name}="${escapeAttribute(value)}"`;
    before = name;
  }
  return html;
}

function sorted(attributes: Attributes): Attributes {
  return Object.fromEntries(Object.entries(attributes).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Blank text between a line break and the next element is dropped, because the break ends with a line end. */
function isBlankAtEnd(text: string, next: Node | undefined): boolean {
  return (next === undefined || next.type !== 'text') && text.trim() === '';
}
