import { type Element, plainElement, run } from '../tree.ts';

/** Wraps the bare text an item begins with in a paragraph. */
export function wrapText(item: Element): void {
  const first = item.children[0];
  if (first?.type === 'run') item.children[0] = plainElement('p', [first]);
}

/** Wraps the bare text behind the last block of an item in a paragraph. */
export function wrapTail(item: Element): void {
  const last = item.children.at(-1);
  if (last?.type === 'run') item.children.splice(-1, 1, plainElement('p', [run(last.text.trimStart())]));
}
