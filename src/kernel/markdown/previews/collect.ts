import type { Element, Node } from '../tree.ts';

/** A link of the finished tree with what is around it. */
export interface FoundLink {
  readonly url: string;
  readonly link: Element;
  readonly parent: Element;
  readonly grandparent: Element | undefined;
  readonly quoted: boolean;
}

/** One that may get a preview, with the text a reader sees of it. */
export interface NamedLink extends FoundLink {
  readonly text: string;
}

interface Visit {
  readonly element: Element;
  readonly parent: Element | undefined;
  readonly grandparent: Element | undefined;
  readonly quoted: boolean;
}

/** Every `<a href>` of a tree, breadth first (contract 2.12). */
export function collectLinks(root: Element): FoundLink[] {
  const found: FoundLink[] = [];
  const queue: Visit[] = [{ element: root, parent: undefined, grandparent: undefined, quoted: false }];
  for (const { element, parent, grandparent, quoted } of queue) {
    const url = element.tag === 'a' ? element.attributes['href'] : undefined;
    if (url !== undefined && parent) found.push({ url, link: element, parent, grandparent, quoted });
    const inside = quoted || element.tag === 'blockquote';
    for (const child of element.children)
      if (isElement(child)) queue.push({ element: child, parent: element, grandparent: parent, quoted: inside });
  }
  return found;
}

function isElement(node: Node): node is Element {
  return node.type === 'element';
}
