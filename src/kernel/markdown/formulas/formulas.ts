import { escapeCode } from '../escape.ts';
import { blockHtml, type Html, inlineHtml } from '../tree.ts';
import { drawingThread } from './drawing-thread.ts';

/** Longest formula that is drawn, in UTF-16 units; a longer one is shown as an error. */
const MAX_FORMULA_LENGTH = 1000;
/** Units of all different formulas of one message; the rest is shown as errors. */
const MAX_FORMULAS_LENGTH = 6000;
/** Units of HTML that the formulas of one message may become, as often as each is shown; the rest is shown as errors. */
const MAX_DRAWN_LENGTH = 200_000;

const thread = drawingThread();

/** A formula of this message. */
interface Formula {
  readonly source: string;
  /** What is shown of it, the same wherever that is. */
  readonly node: Html;
  /** How often it is shown. */
  uses: number;
  /** Undefined: not drawn. */
  html: string | undefined;
}

/**
 * The formulas of one message: their places while the text is parsed, then all of them drawn at once, within bounds that
 * keep the message small. See protocol/markdown#math.
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

  /** `$$…$$` in running text; without content until it is drawn. */
  inline(source: string): Html {
    return used(this.#inline, source).node;
  }

  /** A fence of formulas, separated by empty lines; without content until they are drawn. */
  block(source: string): Html {
    const node = blockHtml('');
    this.#fences.push({ node, formulas: source.split('\n\n').map((part) => used(this.#displayed, part)) });
    return node;
  }

  /** Draws what is wanted and fills the places, those of fences first. */
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

/** Draws those that are within the bounds of length, which count for both kinds together. None holds an empty line. */
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
