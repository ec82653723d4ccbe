import { escapeCode } from '../escape.ts';
import { blockHtml, type Html, inlineHtml } from '../tree.ts';
import { DrawingThread } from './drawing-thread.ts';

/** Longest formula that is drawn, in UTF-16 units; a longer one is shown as an error. */
const MAX_FORMULA_LENGTH = 1000;
/** Units of all different formulas of one message; the rest is shown as errors. */
const MAX_FORMULAS_LENGTH = 6000;
/** Units of HTML that the formulas of one message may become, repeated ones included; the rest is shown as errors. */
const MAX_DRAWN_LENGTH = 200_000;

const thread = new DrawingThread();

/** A formula of this message, and what has become of it; undefined: not drawn. */
interface Formula {
  readonly source: string;
  html: string | undefined;
}

/**
 * The formulas of one message: their places while the text is parsed, then all of them drawn at once, within bounds that
 * keep the message small. Contract markdown 2.11.
 */
export class Formulas {
  readonly #displayed = new Map<string, Formula>();
  readonly #inline = new Map<string, Formula>();
  readonly #fences: { readonly node: Html; readonly formulas: readonly Formula[] }[] = [];
  readonly #spans: { readonly node: Html; readonly formula: Formula }[] = [];
  #left = MAX_DRAWN_LENGTH;

  /** Whether there is anything to draw. */
  get areWanted(): boolean {
    return this.#spans.length > 0 || this.#fences.length > 0;
  }

  /** `$$…$$` in running text; without content until it is drawn. */
  inline(source: string): Html {
    const node = inlineHtml('', source);
    this.#spans.push({ node, formula: wanted(this.#inline, source) });
    return node;
  }

  /** A fence of formulas, separated by empty lines; without content until they are drawn. */
  block(source: string): Html {
    const node = blockHtml('');
    this.#fences.push({ node, formulas: source.split('\n\n').map((part) => wanted(this.#displayed, part)) });
    return node;
  }

  /** Draws what is wanted and fills the places, those of fences first. */
  async draw(): Promise<void> {
    await drawWithin([...this.#displayed.values()], [...this.#inline.values()]);
    for (const { node, formulas } of this.#fences) {
      const shown = formulas.map((formula) => this.#take(formula) ?? texError(formula.source));
      node.html = `<p>${shown.join('\n\n')}</p>\n`;
    }
    for (const { node, formula } of this.#spans) node.html = this.#take(formula) ?? texError(`$$${formula.source}$$`);
  }

  #take({ html }: Formula): string | undefined {
    if (html === undefined || html.length > this.#left) return undefined;
    this.#left -= html.length;
    return html;
  }
}

function wanted(known: Map<string, Formula>, source: string): Formula {
  const old = known.get(source);
  if (old) return old;
  const formula = { source, html: undefined };
  known.set(source, formula);
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
  const { html, lengths } = await thread.draw({ sources, displayed: above.length, maxLength: MAX_DRAWN_LENGTH });
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
