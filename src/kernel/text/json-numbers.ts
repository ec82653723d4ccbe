/** Texts and numbers of a JSON text; texts are matched so that what stands in them is left alone. */
const TOKENS = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
const FRACTION = /\d[.eE]/;

/**
 * The same valid JSON text with a fraction for each number that is written as one and has no fractional part (`5.0`,
 * `1e3`), or undefined where there is none. JSON knows one kind of number and so does JavaScript; the API knows two, and
 * such a number is no integer (protocol/wire#json-values).
 */
export function wholeFractionsBroken(json: string): string | undefined {
  if (!FRACTION.test(json)) return undefined;
  let isBroken = false;
  const text = json.replace(TOKENS, (token) => {
    if (token.startsWith('"') || !FRACTION.test(token) || !Number.isInteger(Number(token))) return token;
    isBroken = true;
    return '0.5';
  });
  return isBroken ? text : undefined;
}
