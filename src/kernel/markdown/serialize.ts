import { escapeAttribute, escapeText } from './escape.ts';
import { type Attributes, type Element, LINE_BREAK, NO_ATTRIBUTES, type Node } from './tree.ts';

/** Elements that are laid out on lines of their own (protocol/markdown#serialisation). */
const blockTags: ReadonlySet<string> = new Set(
  'p h1 h2 h3 h4 h5 h6 ul ol li blockquote table thead tbody tr th td pre div video'.split(' '),
);
const voidTags: ReadonlySet<string> = new Set(['img']);

/** What is written for the elements of a tag; closing tags have the newline of the layout behind them. */
interface Frame {
  readonly open: string;
  /** With the newline of the layout before it, if there is one, where it comes first in a block. */
  readonly openFirst: string;
  /** What attributes are written behind. */
  readonly start: string;
  readonly startFirst: string;
  readonly close: string;
  readonly closeFlat: string;
  readonly isBlock: boolean;
  readonly isVoid: boolean;
}

/** Made once for each tag: one look-up instead of five strings for each element. */
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

/** Writes a finished tree as HTML, laid out as clients expect it, trimmed. */
export function serialize(nodes: readonly Node[]): string {
  const writer = new Writer();
  writer.writeAll(nodes, false, false);
  return writer.html.trim();
}

/** Writes an element of a line without attributes around a text. */
export function writeAround(tag: string, content: string): string {
  const { open, close } = frameOf(tag);
  return open + escapeText(content) + close;
}

/** Adds to one string from the beginning to the end; to gather the pieces in an array takes three times as long. */
class Writer {
  html = '';

  /** `flat` inside previews, which know no layout; `indent` puts a newline before a block that comes first. */
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

/** Most elements are made with their attributes in order, and to see that is far quicker than to sort them. */
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

/** The newline after a break takes the place of blank text between it and the next element. */
function isBlankAtEnd(text: string, next: Node | undefined): boolean {
  return (next === undefined || next.type !== 'text') && text.trim() === '';
}
