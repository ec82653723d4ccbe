/** Text that is shown as it is; escaped when written. */
export interface Text {
  readonly type: 'text';
  readonly text: string;
}

/** Source text in which the inline passes have still to look, or have found nothing. */
export interface Run {
  readonly type: 'run';
  readonly text: string;
}

/** HTML from the formula renderer, the highlighter, or a fixed frame of ours; written as it is. */
export interface Html {
  readonly type: 'html';
  /** Written once more where it is drawn after the text is parsed. */
  html: string;
  readonly block: boolean;
  /** What a reader sees of it, where that matters. */
  readonly plain: string;
}

/** An element; attributes are sorted when written (protocol/markdown#serialisation). */
export interface Element {
  readonly type: 'element';
  readonly tag: string;
  readonly attributes: Attributes;
  children: Node[];
  /** Previews are attached after layout, so no newlines surround them (protocol/markdown#order-of-work, step J). */
  readonly preview?: boolean;
}

export type Attributes = Readonly<Record<string, string>>;
export type Node = Text | Run | Html | Element;

// All nodes are made here, with the same fields in the same order: code that meets objects of at most four forms is
// compiled to several times faster code. These are texts and runs, HTML, elements, previews.

export function text(value: string): Text {
  return { type: 'text', text: value };
}

export function run(source: string): Run {
  return { type: 'run', text: source };
}

/** HTML that stands in a line. */
export function inlineHtml(html: string, plain: string): Html {
  return { type: 'html', html, block: false, plain };
}

/** HTML that stands on lines of its own. */
export function blockHtml(html: string): Html {
  return { type: 'html', html, block: true, plain: '' };
}

/** The break between two lines, with the newline behind it; one for all. */
export const LINE_BREAK: Html = inlineHtml('<br>\n', '');

/** A horizontal rule; one for all. */
export const RULE: Html = blockHtml('<hr>\n');

/** What an element without attributes has; always this one, so that the writer need not look for any. */
export const NO_ATTRIBUTES: Attributes = {};

/** Makes an element from its tag, attributes by name, and children. */
export function element(tag: string, attributes: Attributes = NO_ATTRIBUTES, children: Node[] = []): Element {
  return { type: 'element', tag, attributes, children };
}

/** Makes an element without attributes from its tag and children. */
export function plainElement(tag: string, children: Node[]): Element {
  return element(tag, NO_ATTRIBUTES, children);
}

/** Makes an element that is attached after layout (protocol/markdown#previews). */
export function preview(tag: string, attributes: Attributes, children: Node[] = []): Element {
  return { type: 'element', tag, attributes, children, preview: true };
}

/** Adds a child. Most elements have one or two, for which an array that has grown by a push is far too large. */
export function addChild(parent: Element, child: Node): void {
  if (parent.children.length === 0) parent.children = [child];
  else parent.children.push(child);
}

/** The last child when it is an element. */
export function lastElement(parent: Element): Element | undefined {
  const last = parent.children.at(-1);
  return last?.type === 'element' ? last : undefined;
}

/** The text a reader sees inside a node. */
export function textOf(node: Node): string {
  if (node.type === 'text' || node.type === 'run') return node.text;
  if (node.type === 'html') return node.plain;
  let seen = '';
  for (const child of node.children) seen += textOf(child);
  return seen;
}
