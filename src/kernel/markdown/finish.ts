import { INDENTED_CODE } from './blocks/indented-code.ts';
import type { InlineContext } from './inline/context.ts';
import { inlineNodes, isPlain } from './inline/expand.ts';
import { type Element, type Node, textOf } from './tree.ts';

/**
 * Replaces the runs of a parsed tree by nodes, and indented code by code blocks (protocol/markdown#order-of-work, steps
 * G and H). A run without any syntax stays and is written as text.
 */
export function finishTree(root: Element, context: Omit<InlineContext, 'quoted'>): void {
  const { lookups, findings, stash, formulas, code } = context;
  const shared = { lookups, findings, stash, formulas, code };
  finish(root, { ...shared, quoted: false }, { ...shared, quoted: true });
}

/**
 * The array of children is only copied if one of them is replaced, because most elements have no run or a single one.
 */
function finish(parent: Element, context: InlineContext, quoted: InlineContext): void {
  const { children } = parent;
  let changed: Node[] | undefined;
  for (let index = 0; index < children.length; index++) {
    const child = children[index];
    if (child === undefined) continue;
    const nodes = replacementOf(child, context, quoted);
    if (nodes === undefined) changed?.push(child);
    else if (changed) changed.push(...nodes);
    else changed = index === 0 ? nodes : [...children.slice(0, index), ...nodes];
  }
  if (changed) parent.children = changed;
}

/** Returns the nodes that replace a node; undefined if it stays. */
function replacementOf(node: Node, context: InlineContext, quoted: InlineContext): Node[] | undefined {
  if (node.type === 'run') return isPlain(node.text, context) ? undefined : inlineNodes(node.text, context);
  if (node.type !== 'element') return undefined;
  if (node.tag === INDENTED_CODE) return [context.code.indented(textOf(node))];
  finish(node, node.tag === 'blockquote' ? quoted : context, quoted);
  return undefined;
}
