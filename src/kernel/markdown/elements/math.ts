import { escapeCode } from '../escape.ts';
import type { FormulaEngine } from '../engines.ts';
import { blockHtml, type Html, inlineHtml } from '../tree.ts';

/** Longest formula that is drawn, in UTF-16 units; a longer one is shown as an error. */
const MAX_FORMULA_LENGTH = 1000;
/** Units of all formulas of one message, and how many there are; the rest is shown as errors. */
const MAX_FORMULAS_LENGTH = 4000;
const MAX_FORMULAS = 60;

/** Draws the formulas of one message, within bounds that keep it quick; without an engine every formula is an error. */
export class MathRenderer {
  readonly #engine: FormulaEngine | undefined;
  readonly #inline = new Map<string, Html>();
  readonly #display = new Map<string, string>();
  #length = 0;

  constructor(engine: FormulaEngine | undefined) {
    this.#engine = engine;
  }

  /** `$$…$$` in running text. */
  inline(source: string): Html {
    const known = this.#inline.get(source);
    if (known) return known;
    const html = this.#draw(source, false) ?? texError(`$$${source}$$`);
    const made = inlineHtml(html, source);
    this.#inline.set(source, made);
    return made;
  }

  /** A fence of formulas, separated by empty lines (contract 2.11). */
  block(source: string): Html {
    const formulas = source.split('\n\n').map((part) => this.#displayed(part));
    return blockHtml(`<p>${formulas.join('\n\n')}</p>\n`);
  }

  #displayed(source: string): string {
    const known = this.#display.get(source);
    if (known !== undefined) return known;
    const html = this.#draw(source, true) ?? texError(source);
    this.#display.set(source, html);
    return html;
  }

  #draw(source: string, display: boolean): string | undefined {
    this.#length += source.length;
    const isWithin = source.length <= MAX_FORMULA_LENGTH && this.#length <= MAX_FORMULAS_LENGTH;
    const count = this.#inline.size + this.#display.size;
    return isWithin && count < MAX_FORMULAS ? this.#engine?.(source, display) : undefined;
  }
}

function texError(source: string): string {
  return `<span class="tex-error">${escapeCode(source)}</span>`;
}
