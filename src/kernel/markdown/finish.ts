import { INDENTED_CODE } from './blocks/indented-code.ts';
import { indentedCodeBlock } from './elements/code-block.ts';
import type { InlineContext } from './inline/context.ts';
import { inlineNodes, isPlain } from './inline/expand.ts';
import { type Element, type Node, textOf } from './tree.ts';

/**
 * Turns the runs of a parsed tree into nodes, and its indented code into blocks (contract 0, steps G and H). A run in
 * which nothing is found stays, and is written as the text it is.
 */
export function finishTree(root: Element, context: Omit<InlineContext, 'quoted'>): void {
  const { lookups, facts, stash, math } = context;
  finish(root, { lookups, facts, stash, math, quoted: false }, { lookups, facts, stash, math, quoted: true });
}

/** Children stay in their array as long as no run among them becomes others: most elements hold no run or only one. */
function finish(parent: Element, plain: InlineContext, quoted: InlineContext): void {
  const { children } = parent;
  let changed: Node[] | undefined;
  for (let index = 0; index < children.length; index++) {
    const child = children[index];
    if (child === undefined) continue;
    if (child.type === 'run' && !isPlain(child.text, plain)) {
      const nodes = inlineNodes(child.text, child.quoted ? quoted : plain);
      if (changed) changed.push(...nodes);
      else changed = index === 0 ? nodes : [...children.slice(0, index), ...nodes];
      continue;
    }
    const finished = finishOne(child, plain, quoted);
    if (changed) changed.push(finished);
    else children[index] = finished;
  }
  if (changed) parent.children = changed;
}

function finishOne(node: Node, plain: InlineContext, quoted: InlineContext): Node {
  if (node.type !== 'element') return node;
  if (node.tag === INDENTED_CODE) return indentedCodeBlock(textOf(node));
  finish(node, plain, quoted);
  return node;
}
