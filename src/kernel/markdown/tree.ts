/** Literal text; escaped when written. */
export interface Text {
  readonly type: 'text';
  readonly text: string;
}

/** Source text that the inline passes have not parsed yet, or in which they found nothing. */
export interface SourceText {
  readonly type: 'run';
  readonly text: string;
}

/** HTML from the formula renderer, the highlighter, or this module; written as it is. */
export interface Html {
  readonly type: 'html';
  /** Replaced when a formula or code is drawn after parsing. */
  html: string;
  readonly block: boolean;
  /** The visible text, if it matters. */
  readonly plain: string;
}

/** An element; attributes are sorted when written (protocol/markdown#serialisation). */
export interface Element {
  readonly type: 'element';
  readonly tag: string;
  readonly attributes: Attributes;
  children: Node[];
  /**
   * Whether it is a preview, which is added after layout and has no line ends around it
   * (protocol/markdown#order-of-work, step J).
   */
  readonly preview?: boolean;
}

export type Attributes = Readonly<Record<string, string>>;
export type Node = Text | SourceText | Html | Element;

// All nodes are created here, with their fields in the same order: the engine optimizes code much better that sees at
// most four shapes of objects. The shapes are texts and runs, HTML, elements, and previews.

export function text(value: string): Text {
  return { type: 'text', text: value };
}

export function sourceText(source: string): SourceText {
  return { type: 'run', text: source };
}

/** Makes inline HTML. */
export function inlineHtml(html: string, plain: string): Html {
  return { type: 'html', html, block: false, plain };
}

/** Makes HTML on lines of its own. */
export function blockHtml(html: string): Html {
  return { type: 'html', html, block: true, plain: '' };
}

/** A line break with the line end after it; shared. */
export const LINE_BREAK: Html = inlineHtml('<br>\n', '');

/** A horizontal rule; shared. */
export const RULE: Html = blockHtml('<hr>\n');

/** The attributes of elements without any; shared, so that the writer can compare by identity. */
export const NO_ATTRIBUTES: Attributes = {};

/** Makes an element from its tag, attributes by name, and children. */
export function element(tag: string, attributes: Attributes = NO_ATTRIBUTES, children: Node[] = []): Element {
  return { type: 'element', tag, attributes, children };
}

/** Makes an element without attributes from its tag and children. */
export function plainElement(tag: string, children: Node[]): Element {
  return element(tag, NO_ATTRIBUTES, children);
}

/** Makes an element that is added after layout (protocol/markdown#previews). */
export function preview(tag: string, attributes: Attributes, children: Node[] = []): Element {
  return { type: 'element', tag, attributes, children, preview: true };
}

/**
 * Adds a child. The first one gets a new array, because an array grown by `push` has room for many more than most
 * elements need.
 */
export function addChild(parent: Element, child: Node): void {
  if (parent.children.length === 0) parent.children = [child];
  else parent.children.push(child);
}

/** Returns the last child if it is an element. */
export function lastElement(parent: Element): Element | undefined {
  const last = parent.children.at(-1);
  return last?.type === 'element' ? last : undefined;
}

/** Returns the visible text of a node. */
export function textOf(node: Node): string {
  if (node.type === 'text' || node.type === 'run') return node.text;
  if (node.type === 'html') return node.plain;
  let seen = '';
  for (const child of node.children) seen += textOf(child);
  return seen;
}
