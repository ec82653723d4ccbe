import { INDENTED_CODE } from './blocks/indented-code.ts';
import { indentedCodeBlock } from './elements/code-block.ts';
import type { InlineContext } from './inline/context.ts';
import { inlineNodes } from './inline/expand.ts';
import { type Element, type Node, textOf } from './tree.ts';

/** Turns the runs of a parsed tree into nodes, and its indented code into blocks (contract 0, steps G and H). */
export function finishTree(root: Element, context: Omit<InlineContext, 'quoted'>): void {
  finish(root, { ...context, quoted: false }, { ...context, quoted: true });
}

function finish(parent: Element, plain: InlineContext, quoted: InlineContext): void {
  const children: Node[] = [];
  for (const child of parent.children) {
    if (child.type === 'run') children.push(...inlineNodes(child.text, child.quoted ? quoted : plain));
    else if (child.type !== 'element') children.push(child);
    else if (child.tag === INDENTED_CODE) children.push(indentedCodeBlock(textOf(child)));
    else {
      finish(child, plain, quoted);
      children.push(child);
    }
  }
  parent.children = children;
}
