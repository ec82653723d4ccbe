import { escapeAttribute, escapeText } from './escape.ts';
import { type Attributes, type Element, NO_ATTRIBUTES, type Node } from './tree.ts';

/** Elements that are laid out on lines of their own (contract 0.1). */
const blockTags: ReadonlySet<string> = new Set(
  'p h1 h2 h3 h4 h5 h6 ul ol li blockquote table thead tbody tr th td hr pre div video'.split(' '),
);
const voidTags: ReadonlySet<string> = new Set(['br', 'hr', 'img']);

/** What is written for the elements of a tag; closing tags have the newline of the layout behind them. */
interface Frame {
  readonly open: string;
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
  const closeFlat = tag === 'br' ? '\n' : isVoid ? '' : `</${tag}>`;
  const made = { open: `<${tag}>`, close: isBlock ? `${closeFlat}\n` : closeFlat, closeFlat, isBlock, isVoid };
  frames.set(tag, made);
  return made;
}

/** Writes a finished tree as HTML, laid out as clients expect it, trimmed. */
export function serialize(nodes: readonly Node[]): string {
  const writer = new Writer();
  writer.writeAll(nodes, false, false);
  return writer.html.trim();
}

/** Adds to one string from the beginning to the end; to gather the pieces in an array takes three times as long. */
class Writer {
  html = '';

  /** `flat` inside previews, which know no layout; `indent` puts a newline before a block that comes first. */
  writeAll(nodes: readonly Node[], flat: boolean, indent: boolean): void {
    let previous: Node | undefined;
    for (let index = 0; index < nodes.length; index++) {
      const node = nodes[index];
      if (node === undefined) continue;
      const onNewLine = indent && index === 0;
      if (node.type === 'element') this.#writeElement(node, flat, onNewLine);
      else if (node.type === 'html') this.html += onNewLine && node.block ? `\n${node.html}` : node.html;
      else this.html += escapeText(isBreak(previous) ? afterBreak(node.text, nodes[index + 1]) : node.text);
      previous = node;
    }
  }

  #writeElement(element: Element, around: boolean, onNewLine: boolean): void {
    const { tag, attributes, children, preview = false } = element;
    const frame = frameOf(tag);
    if (onNewLine && frame.isBlock && !preview) this.html += '\n';
    const flat = around || preview;
    this.html += attributes === NO_ATTRIBUTES ? frame.open : `<${tag}${writeAttributes(attributes)}>`;
    if (!frame.isVoid) this.writeAll(children, flat, frame.isBlock && !flat);
    this.html += flat ? frame.closeFlat : frame.close;
  }
}

function writeAttributes(attributes: Attributes): string {
  let html = '';
  for (const name of inOrder(Object.keys(attributes))) {
    const value = attributes[name] ?? '';
    html += value === name ? ` ${name}` : ` ${name}="${escapeAttribute(value)}"`;
  }
  return html;
}

/** Most elements are made with their attributes in order, and to see that is far quicker than to sort them. */
function inOrder(names: string[]): string[] {
  return names.every((name, index) => index === 0 || (names[index - 1] ?? '') < name) ? names : names.sort();
}

function isBreak(node: Node | undefined): boolean {
  return node?.type === 'element' && node.tag === 'br';
}

/** The newline after a break takes the place of blank text between it and the next element. */
function afterBreak(text: string, next: Node | undefined): string {
  return (next === undefined || next.type !== 'text') && text.trim() === '' ? '' : text;
}
