import { escapeAttribute, escapeText } from './escape.ts';
import { type Attributes, type Element, NO_ATTRIBUTES, type Node } from './tree.ts';

/** Elements that are laid out on lines of their own (contract 0.1). */
const blockTags: ReadonlySet<string> = new Set(
  'p h1 h2 h3 h4 h5 h6 ul ol li blockquote table thead tbody tr th td hr pre div video'.split(' '),
);
const voidTags: ReadonlySet<string> = new Set(['br', 'hr', 'img']);

/** Writes a finished tree as HTML, laid out as clients expect it, trimmed. */
export function serialize(nodes: readonly Node[]): string {
  const writer = new Writer();
  writer.writeAll(nodes, false);
  return writer.html.trim();
}

/** Adds to one string from the beginning to the end: strings made of strings for each element cost twice the time. */
class Writer {
  html = '';

  /** `flat` inside previews, which know no layout. */
  writeAll(nodes: readonly Node[], flat: boolean): void {
    let previous: Node | undefined;
    for (let index = 0; index < nodes.length; index++) {
      const node = nodes[index];
      if (node === undefined) continue;
      if (node.type === 'element') this.#writeElement(node, flat);
      else if (node.type === 'html') this.html += node.html;
      else this.html += escapeText(isBreak(previous) ? afterBreak(node.text, nodes[index + 1]) : node.text);
      previous = node;
    }
  }

  #writeElement(element: Element, around: boolean): void {
    if (element.replaced) return;
    const { tag, attributes, children } = element;
    const flat = around || element.preview === true;
    const laidOut = !flat && blockTags.has(tag);
    this.html += attributes === NO_ATTRIBUTES ? `<${tag}>` : `<${tag}${writeAttributes(attributes)}>`;
    if (!voidTags.has(tag)) {
      if (laidOut && beginsWithBlock(children)) this.html += '\n';
      this.writeAll(children, flat);
      this.html += `</${tag}>`;
    }
    if (laidOut || tag === 'br') this.html += '\n';
  }
}

function writeAttributes(attributes: Attributes): string {
  let html = '';
  for (const name of Object.keys(attributes).sort()) {
    const value = attributes[name] ?? '';
    html += value === name ? ` ${name}` : ` ${name}="${escapeAttribute(value)}"`;
  }
  return html;
}

function beginsWithBlock([first]: readonly Node[]): boolean {
  if (first?.type === 'html') return first.block;
  return first?.type === 'element' && !first.preview && blockTags.has(first.tag);
}

function isBreak(node: Node | undefined): boolean {
  return node?.type === 'element' && node.tag === 'br';
}

/** The newline after a break takes the place of blank text between it and the next element. */
function afterBreak(text: string, next: Node | undefined): string {
  return (next === undefined || next.type !== 'text') && text.trim() === '' ? '' : text;
}
