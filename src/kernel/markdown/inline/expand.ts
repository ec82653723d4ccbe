import { mayHold, oneOfUnits } from '../characters.ts';
import { writeAround } from '../serialize.ts';
import { element, inlineHtml, type Node, plainElement, text, textOf } from '../tree.ts';
import type { InlineContext } from './context.ts';
import { addLeafNodes, isOneText, leafNodes } from './leaf.ts';
import { runPasses, SYNTAX_TRIGGERS } from './passes.ts';
import { indexOfToken, type Nested, type Stashed, TOKEN_LENGTH } from './stash.ts';

const mayHoldAnything = mayHold(new RegExp(`${oneOfUnits(SYNTAX_TRIGGERS)}|[\n\u00a9\u00ae\u203c-\uffff]`));

/** Whether a text has no syntax, line break or emoji, so that it is shown as it is. */
export function isPlain(source: string, { lookups }: InlineContext): boolean {
  return !mayHoldAnything(source) && !lookups.realm?.linkifiers.any;
}

/** Parses one run of source text into nodes. */
export function inlineNodes(source: string, context: InlineContext): Node[] {
  return nested(runPasses(source, context), 0, context);
}

/**
 * Replaces tokens by their nodes. `level` is the number of enclosing elements made by inline passes: from level 2 on,
 * text goes through all passes again (protocol/markdown#inline-passes).
 */
function nested(source: string, level: number, context: InlineContext): Node[] {
  let at = indexOfToken(source, 0);
  if (at === -1) return level >= 2 ? inlineNodes(source, context) : leafNodes(source);
  const nodes: Node[] = [];
  let pending = '';
  let done = 0;
  for (; at !== -1; at = indexOfToken(source, done)) {
    pending += source.slice(done, at);
    done = at + TOKEN_LENGTH;
    const item = context.stash.at(source, at);
    if (item.type === 'text' && level > 0) pending += item.text;
    else {
      addPlain(nodes, pending, level, context);
      pending = '';
      nodes.push(nodeOf(item, level, context));
    }
  }
  addPlain(nodes, pending + source.slice(done), level, context);
  return nodes;
}

function addPlain(nodes: Node[], plain: string, level: number, context: InlineContext): void {
  if (plain === '') return;
  if (level >= 2 || (level === 1 && nodes.length > 0)) nodes.push(...inlineNodes(plain, context));
  else addLeafNodes(nodes, plain);
}

function nodeOf(item: Stashed, level: number, context: InlineContext): Node {
  if (item.type === 'nested') return around(item, level, context);
  return item.type === 'link' ? element('a', item.attributes, literal(item.text, context)) : item;
}

/** A fast path: most elements contain only text. */
function around({ tag, content }: Nested, level: number, context: InlineContext): Node {
  return level === 0 && isOneText(content)
    ? inlineHtml(writeAround(tag, content), content)
    : plainElement(tag, nested(content, level + 1, context));
}

/** Parses the text of a link: shows earlier tokens, except links, because links cannot be nested. */
function literal(source: string, context: InlineContext): Node[] {
  const nodes: Node[] = [];
  let done = 0;
  for (let at = indexOfToken(source, 0); at !== -1; at = indexOfToken(source, done)) {
    if (at > done) nodes.push(text(source.slice(done, at)));
    done = at + TOKEN_LENGTH;
    const node = nodeOf(context.stash.at(source, at), 1, context);
    nodes.push(node.type === 'element' && node.tag === 'a' ? text(textOf(node)) : node);
  }
  if (done < source.length) nodes.push(text(source.slice(done)));
  return nodes;
}
