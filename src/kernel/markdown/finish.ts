import { INDENTED_CODE } from './blocks/indented-code.ts';
import type { InlineContext } from './inline/context.ts';
import { inlineNodes, isPlain } from './inline/expand.ts';
import { type Element, type Node, textOf } from './tree.ts';

/**
 * Turns the runs of a parsed tree into nodes, and its indented code into blocks (protocol/markdown#order-of-work, steps
 * G and H). A run in which nothing is found stays, and is written as the text it is.
 */
export function finishTree(root: Element, context: Omit<InlineContext, 'quoted'>): void {
  const { lookups, facts, stash, formulas, code } = context;
  const shared = { lookups, facts, stash, formulas, code };
  finish(root, { ...shared, quoted: false }, { ...shared, quoted: true });
}

/** Children stay in their array as long as none of them becomes others: most elements hold no run or only one. */
function finish(parent: Element, context: InlineContext, quoted: InlineContext): void {
  const { children } = parent;
  let changed: Node[] | undefined;
  for (let index = 0; index < children.length; index++) {
    const child = children[index];
    if (child === undefined) continue;
    const nodes = whatBecomesOf(child, context, quoted);
    if (nodes === undefined) changed?.push(child);
    else if (changed) changed.push(...nodes);
    else changed = index === 0 ? nodes : [...children.slice(0, index), ...nodes];
  }
  if (changed) parent.children = changed;
}

/** What stands in the place of a node; undefined for one that stays, whatever becomes of its children. */
function whatBecomesOf(node: Node, context: InlineContext, quoted: InlineContext): Node[] | undefined {
  if (node.type === 'run') return isPlain(node.text, context) ? undefined : inlineNodes(node.text, context);
  if (node.type !== 'element') return undefined;
  if (node.tag === INDENTED_CODE) return [context.code.indented(textOf(node))];
  finish(node, node.tag === 'blockquote' ? quoted : context, quoted);
  return undefined;
}
