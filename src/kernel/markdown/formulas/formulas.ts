import { escapeCode } from '../escape.ts';
import { blockHtml, type Html, inlineHtml } from '../tree.ts';
import { drawingThread } from './drawing-thread.ts';

/** Longest formula in UTF-16 units; a longer one is shown as an error. */
const MAX_FORMULA_LENGTH = 1000;
/** Most UTF-16 units of all distinct formulas of a message; the rest are shown as errors. */
const MAX_FORMULAS_LENGTH = 6000;
/** Most UTF-16 units of HTML from the formulas of a message, counting repetitions; the rest are shown as errors. */
const MAX_DRAWN_LENGTH = 200_000;

const thread = drawingThread();

/** A formula of this message. */
interface Formula {
  readonly source: string;
  /** The node that is shown, the same one at each occurrence. */
  readonly node: Html;
  /** Number of occurrences. */
  uses: number;
  /** Undefined if it was not drawn. */
  html: string | undefined;
}

/**
 * The formulas of one message: nodes are created empty while parsing, then all formulas are drawn at once, within
 * limits on the size of the message. See protocol/markdown#math.
 */
export class Formulas {
  readonly #displayed = new Map<string, Formula>();
  readonly #inline = new Map<string, Formula>();
  readonly #fences: { readonly node: Html; readonly formulas: readonly Formula[] }[] = [];
  #left = MAX_DRAWN_LENGTH;

  /** Whether there is anything to draw. */
  get areWanted(): boolean {
    return this.#inline.size > 0 || this.#displayed.size > 0;
  }

  /** Adds an inline formula (`$$…$$`); its node is empty until it is drawn. */
  inline(source: string): Html {
    return used(this.#inline, source).node;
  }

  /** Adds a fence of formulas separated by empty lines; its node is empty until they are drawn. */
  block(source: string): Html {
    const node = blockHtml('');
    this.#fences.push({ node, formulas: source.split('\n\n').map((part) => used(this.#displayed, part)) });
    return node;
  }

  /** Draws all formulas and fills their nodes, those of fences first. */
  async draw(): Promise<void> {
    const [displayed, inline] = [[...this.#displayed.values()], [...this.#inline.values()]];
    await drawWithin(displayed, inline);
    for (const formula of displayed) formula.node.html = this.#take(formula) ?? texError(formula.source);
    for (const formula of inline) formula.node.html = this.#take(formula) ?? texError(`$$${formula.source}$$`);
    for (const { node, formulas } of this.#fences)
      node.html = `<p>${formulas.map((formula) => formula.node.html).join('\n\n')}</p>\n`;
  }

  #take({ html, uses }: Formula): string | undefined {
    const length = uses * (html?.length ?? 0);
    if (length > this.#left) return undefined;
    this.#left -= length;
    return html;
  }
}

function used(known: Map<string, Formula>, source: string): Formula {
  let formula = known.get(source);
  if (!formula) known.set(source, (formula = { source, node: inlineHtml('', source), uses: 0, html: undefined }));
  formula.uses++;
  return formula;
}

/** Draws the formulas within the limits, which both kinds share. Formulas contain no empty lines. */
async function drawWithin(displayed: readonly Formula[], inline: readonly Formula[]): Promise<void> {
  let left = MAX_FORMULAS_LENGTH;
  const isWithin = ({ source }: Formula) => source.length <= MAX_FORMULA_LENGTH && (left -= source.length) >= 0;
  const above = displayed.filter(isWithin);
  const formulas = above.concat(inline.filter(isWithin));
  if (formulas.length === 0) return;
  const sources = formulas.map(({ source }) => source).join('\n\n');
  const { html, lengths } = await thread.ask({ sources, displayed: above.length, maxLength: MAX_DRAWN_LENGTH });
  let at = 0;
  for (const [index, length] of lengths.entries()) {
    const formula = formulas[index];
    if (formula && length > 0) formula.html = html.slice(at, at + length);
    at += length;
  }
}

function texError(source: string): string {
  return `<span class="tex-error">${escapeCode(source)}</span>`;
}
