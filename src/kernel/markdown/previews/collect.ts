import type { Element, Node } from '../tree.ts';

/** A link in the finished tree, with its surroundings. */
export interface FoundLink {
  readonly url: string;
  readonly link: Element;
  readonly parent: Element;
  readonly grandparent: Element | undefined;
  readonly quoted: boolean;
}

/** A link that may get a preview, with its visible text. */
export interface NamedLink extends FoundLink {
  readonly text: string;
}

interface Visit {
  readonly element: Element;
  readonly parent: Element | undefined;
  /** Whether the content is quoted. */
  readonly quoted: boolean;
}

/** Returns all `<a href>` of a tree, breadth first (protocol/markdown#previews). */
export function collectLinks(root: Element): FoundLink[] {
  const found: FoundLink[] = [];
  const queue: Visit[] = [{ element: root, parent: undefined, quoted: false }];
  for (const { element: parent, parent: grandparent, quoted } of queue) {
    for (const link of parent.children) {
      if (!isElement(link)) continue;
      const url = link.tag === 'a' ? link.attributes['href'] : undefined;
      if (url !== undefined) found.push({ url, link, parent, grandparent, quoted });
      if (link.children.some(isElement))
        queue.push({ element: link, parent, quoted: quoted || link.tag === 'blockquote' });
    }
  }
  return found;
}

function isElement(node: Node): node is Element {
  return node.type === 'element';
}
