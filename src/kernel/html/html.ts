/** Markup that is safe to send: made by `html` and by nothing else. */
export class Html {
  readonly #text: string;

  constructor(strings: readonly string[], values: readonly Value[]) {
    this.#text = strings.map((part, index) => part + markup(values[index] ?? '')).join('');
  }

  toString(): string {
    return this.#text;
  }
}

/** What may stand in a template: text, escaped; markup and lists of it, as they are; false and undefined, nothing. */
type Value = string | number | boolean | undefined | Html | readonly Html[];

/** Markup of a template. */
export function html(strings: TemplateStringsArray, ...values: readonly Value[]): Html {
  return new Html(strings, values);
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function markup(value: Value): string {
  if (value instanceof Html) return value.toString();
  if (typeof value === 'object') return value.map(String).join('');
  if (value === false || value === true) return '';
  return String(value).replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '');
}
