import { INDENTED_CODE } from './blocks/indented-code.ts';
import { indentedCodeBlock } from './elements/code-block.ts';
import type { InlineContext } from './inline/context.ts';
import { inlineNodes } from './inline/expand.ts';
import { type Element, type Html, type Node, textOf } from './tree.ts';

/** Turns the runs of a parsed tree into nodes, and its indented code into blocks (contract 0, steps G and H). */
export function finishTree(root: Element, context: Omit<InlineContext, 'quoted'>): void {
  finish(root, { ...context, quoted: false }, { ...context, quoted: true });
}

/** Children stay in their array as long as no run among them becomes others: most elements hold no run or only one. */
function finish(parent: Element, plain: InlineContext, quoted: InlineContext): void {
  const { children } = parent;
  let changed: Node[] | undefined;
  for (let index = 0; index < children.length; index++) {
    const child = children[index];
    if (child === undefined) continue;
    if (child.type !== 'run') {
      const finished = child.type === 'element' ? finishElement(child, plain, quoted) : child;
      if (changed) changed.push(finished);
      else children[index] = finished;
      continue;
    }
    const nodes = inlineNodes(child.text, child.quoted ? quoted : plain);
    if (changed) changed.push(...nodes);
    else changed = index === 0 ? nodes : [...children.slice(0, index), ...nodes];
  }
  if (changed) parent.children = changed;
}

function finishElement(element: Element, plain: InlineContext, quoted: InlineContext): Element | Html {
  if (element.tag === INDENTED_CODE) return indentedCodeBlock(textOf(element));
  finish(element, plain, quoted);
  return element;
}
