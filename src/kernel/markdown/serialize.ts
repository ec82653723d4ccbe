import { escapeAttribute, escapeText } from './escape.ts';
import type { Attributes, Element, Node } from './tree.ts';

/** Elements that are laid out on lines of their own (contract 0.1). */
const blockTags: ReadonlySet<string> = new Set(
  'p h1 h2 h3 h4 h5 h6 ul ol li blockquote table thead tbody tr th td hr pre div video'.split(' '),
);
const voidTags: ReadonlySet<string> = new Set(['br', 'hr', 'img']);

/** Writes a finished tree as HTML, laid out as clients expect it, trimmed. */
export function serialize(nodes: readonly Node[]): string {
  return writeAll(nodes).trim();
}

/** `flat` inside previews, which know no layout. */
function writeAll(nodes: readonly Node[], flat = false): string {
  let html = '';
  for (let index = 0; index < nodes.length; index++) html += write(nodes, index, flat);
  return html;
}

function write(siblings: readonly Node[], index: number, flat: boolean): string {
  const node = siblings[index];
  if (node === undefined) return '';
  if (node.type === 'html') return node.html;
  if (node.type === 'element') return node.replaced ? '' : writeElement(node, flat || node.preview === true);
  return escapeText(isBreak(siblings[index - 1]) ? afterBreak(node.text, siblings[index + 1]) : node.text);
}

function writeElement(element: Element, flat: boolean): string {
  const open = `<${element.tag}${writeAttributes(element.attributes)}>`;
  const laidOut = !flat && isBlock(element);
  const end = laidOut || element.tag === 'br' ? '\n' : '';
  if (voidTags.has(element.tag)) return open + end;
  const first = element.children[0];
  const start = laidOut && first !== undefined && isBlock(first) ? '\n' : '';
  return `${open}${start}${writeAll(element.children, flat)}</${element.tag}>${end}`;
}

function writeAttributes(attributes: Attributes): string {
  let html = '';
  for (const name of Object.keys(attributes).sort()) {
    const value = attributes[name] ?? '';
    html += value === name ? ` ${name}` : ` ${name}="${escapeAttribute(value)}"`;
  }
  return html;
}

function isBlock(node: Node): boolean {
  if (node.type === 'html') return node.block;
  return node.type === 'element' && !node.preview && blockTags.has(node.tag);
}

function isBreak(node: Node | undefined): boolean {
  return node?.type === 'element' && node.tag === 'br';
}

/** The newline after a break takes the place of blank text between it and the next element. */
function afterBreak(text: string, next: Node | undefined): string {
  return (next === undefined || next.type !== 'text') && text.trim() === '' ? '' : text;
}
