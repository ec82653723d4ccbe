/** A site on which code of a language can be tried out. See protocol/linkifiers#playgrounds. */
interface Playground {
  readonly name: string;
  readonly pygments_language: string;
  readonly url_template: string;
}

/**
 * Returns the playgrounds of a language, with the code in their addresses. One whose template is not understood is left
 * out.
 */
export function playgroundsFor(
  all: readonly Playground[],
  language: string,
  code: string,
): readonly { readonly name: string; readonly href: string }[] {
  return all
    .filter((one) => one.pygments_language.toLowerCase() === language.toLowerCase())
    .flatMap(({ name, url_template }) => {
      const href = addressWith(url_template, code);
      return href === undefined ? [] : [{ name, href }];
    });
}

/** The prefix of the value for each operator of RFC 6570, and whether reserved characters stay unencoded. */
const OPERATORS: Readonly<Record<string, { readonly before: string; readonly isRaw?: boolean }>> = {
  '': { before: '' },
  '+': { before: '', isRaw: true },
  '#': { before: '#', isRaw: true },
  '.': { before: '.' },
  '/': { before: '/' },
  ';': { before: ';code=' },
  '?': { before: '?code=' },
  '&': { before: '&code=' },
};
/** The only variable of templates is `code`. */
const EXPRESSION = /\{([+#./;?&]?)code\*?\}/g;

function addressWith(template: string, code: string): string | undefined {
  // Lone surrogates cannot be encoded.
  const whole = code.replace(/\p{Cs}/gu, '\ufffd');
  const text = template.replace(EXPRESSION, (_, operator: string) => {
    const { before = '', isRaw = false } = OPERATORS[operator] ?? {};
    return before + (isRaw ? encodeURI(whole) : strictly(whole));
  });
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url && /^https?:$/.test(url.protocol) ? url.href : undefined;
}

/** Encodes everything but the unreserved characters of RFC 3986. */
function strictly(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}
