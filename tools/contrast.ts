// Computes the colours of the tokens as a browser does, and the contrast between two of them (WCAG 2, relative
// luminance).

interface Color {
  /** Linear sRGB, each from 0 to 1. */
  readonly rgb: readonly number[];
  readonly alpha: number;
}

type Mode = 'light' | 'dark';
/** Values by the names of custom properties. */
type Tokens = Readonly<Record<string, string>>;
/** A colour, its background, and the least contrast between them. */
type Pair = readonly [front: string, back: string, least: number];

const SURFACES = ['--sky', '--sheet', '--raised', '--sunk'];
const TEXT = 4.5;
const PART = 3;
/** Colours of most text, for which high contrast requires more. */
const MAIN_TEXT = /^--(ink|accent|you|good|bad)(-\d)?$/;
const HIGH_TEXT = 7;

const EGGS = Array.from({ length: 8 }, (_, index) => index + 1);

const PAIRS: readonly Pair[] = [
  ...pairs(['--ink', '--ink-2', '--ink-3', '--accent', '--you', '--good', '--bad'], SURFACES, TEXT),
  ...pairs(['--ink', '--ink-2', '--ink-3', '--accent'], ['--accent-soft', '--you-soft'], TEXT),
  ...pairs(['--you'], ['--you-soft'], TEXT),
  ...pairs(['--good', '--ink', '--ink-2'], ['--good-soft'], TEXT),
  ...pairs(['--bad', '--ink', '--ink-2'], ['--bad-soft'], TEXT),
  ...pairs(['--on-accent'], ['--accent-fill', '--accent-fill-hover'], TEXT),
  ...pairs(['--on-you'], ['--you-fill'], TEXT),
  ...pairs(['--on-bad'], ['--bad-fill'], TEXT),
  ...pairs(['--ink-inverse'], ['--ink'], TEXT),
  ...EGGS.map((egg): Pair => [`--egg-${egg}-ink`, `--egg-${egg}`, TEXT]),
  ...pairs(
    ['comment', 'keyword', 'name', 'string', 'number'].map((kind) => `--code-${kind}`),
    ['--sunk', '--sheet'],
    TEXT,
  ),
  ...pairs(['--line-ui', '--focus', '--you-line', '--accent-fill', '--plumage'], SURFACES, PART),
  ...pairs(['--presence-active', '--presence-idle', '--presence-offline'], SURFACES, PART),
];

function pairs(fronts: readonly string[], backs: readonly string[], least: number): Pair[] {
  return fronts.flatMap((front) => backs.map((back): Pair => [front, back, least]));
}

/** Returns the faults of a style sheet's tokens, one line each; empty when every pair has enough contrast. */
export function contrastFaults(sheet: string): string[] {
  const css = sheet.replace(/\/\*[\s\S]*?\*\//g, '').replace(/\s+/g, ' ');
  const part = (from: string, to: string) => tokensIn(css.slice(css.indexOf(from), css.indexOf(to)));
  const normal = part(':root {', ':root[data-theme');
  const asked = part('@media (prefers-contrast: more)', ':root[data-contrast="more"] {');
  const chosen = part(':root[data-contrast="more"] {', '@media (prefers-reduced-motion');
  const high = { ...normal, ...asked };
  return [
    ...(JSON.stringify(asked) === JSON.stringify(chosen) ? [] : ['the two blocks of high contrast differ']),
    ...(['light', 'dark'] as const).flatMap((mode) => [
      ...tooClose(normal, mode, ([, , least]) => least).map((fault) => `${mode}: ${fault}`),
      ...tooClose(high, mode, needInHighContrast).map((fault) => `high contrast, ${mode}: ${fault}`),
    ]),
  ];
}

function tokensIn(css: string): Tokens {
  return Object.fromEntries(
    [...css.matchAll(/(--[\w-]+): ?([^;]+);/g)].map(([, name = '', value = '']) => [name, value]),
  );
}

function needInHighContrast([front, back, least]: Pair): number {
  if (least === TEXT && SURFACES.includes(back) && MAIN_TEXT.test(front)) return HIGH_TEXT;
  return front === '--plumage' ? PART : TEXT;
}

function tooClose(tokens: Tokens, mode: Mode, need: (pair: Pair) => number): string[] {
  const faults = PAIRS.flatMap((pair) => {
    const [front, back] = pair;
    const needed = need(pair);
    const got = Math.min(...grounds(tokens, pair, mode).map((ground) => ratio(look(tokens, front, mode), ground)));
    return got < needed ? [`${front} on ${back} has ${got.toFixed(2)}, needs ${needed}`] : [];
  });
  return [...faults, ...channelFaults(tokens, mode)];
}

/** Returns the backgrounds of a pair's colour: text in rows is also read while the pointer is over them. */
function grounds(tokens: Tokens, [, back, least]: Pair, mode: Mode): Color[] {
  const ground = look(tokens, back, mode);
  const isRow = least === TEXT && SURFACES.includes(back);
  return isRow ? [ground, over(look(tokens, '--hover', mode), ground)] : [ground];
}

/** Checks every hue that a person may choose for a channel, at the lightness that the client gives it. */
function channelFaults(tokens: Tokens, mode: Mode): string[] {
  const lightness = tokens[`--channel-l-${mode}`] ?? '';
  const hues = Array.from({ length: 72 }, (_, index) => index * 5);
  const least = Math.min(
    ...hues.flatMap((hue) =>
      SURFACES.map((back) => ratio(parse(`oklch(${lightness} 0.13 ${hue})`), look(tokens, back, mode))),
    ),
  );
  return least < PART ? [`a channel's colour has ${least.toFixed(2)}, needs ${PART}`] : [];
}

/** Returns the colour of a token in one scheme. */
function look(tokens: Tokens, name: string, mode: Mode): Color {
  const value = tokens[name];
  if (value === undefined) throw new Error(`there is no token ${name}`);
  const [, link] = /^var\((--[\w-]+)\)$/.exec(value) ?? [];
  if (link !== undefined) return look(tokens, link, mode);
  const [, light = value, dark = value] = /^light-dark\( ?(.+?\)), ?(.+)\)$/.exec(value) ?? [];
  return parse(mode === 'light' ? light : dark);
}

/** Converts OKLCH, with or without alpha, to linear sRGB, clipped. */
function parse(text: string): Color {
  const [l = 0, c = 0, h = 0, alpha = 1] = (text.match(/[\d.]+/g) ?? []).map(Number);
  const [a, b] = [c * Math.cos((h * Math.PI) / 180), c * Math.sin((h * Math.PI) / 180)];
  const [x, y, z] = [
    (l + 0.3963377774 * a + 0.2158037573 * b) ** 3,
    (l - 0.1055613458 * a - 0.0638541728 * b) ** 3,
    (l - 0.0894841775 * a - 1.291485548 * b) ** 3,
  ];
  const rgb = [
    4.0767416621 * x - 3.3077115913 * y + 0.2309699292 * z,
    -1.2684380046 * x + 2.6097574011 * y - 0.3413193965 * z,
    -0.0041960863 * x - 0.7034186147 * y + 1.707614701 * z,
  ];
  return { rgb: rgb.map((value) => Math.min(1, Math.max(0, value))), alpha };
}

/** Blends a colour with alpha over an opaque one as screens do, in gamma-encoded sRGB. */
function over(top: Color, base: Color): Color {
  const mix = (value: number, index: number) =>
    linear(gamma(value) * top.alpha + gamma(base.rgb[index] ?? 0) * (1 - top.alpha));
  return { alpha: 1, rgb: top.rgb.map(mix) };
}

const gamma = (x: number) => (x <= 0.0031308 ? 12.92 * x : 1.055 * x ** (1 / 2.4) - 0.055);
const linear = (x: number) => (x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4);

function luminance({ rgb: [r = 0, g = 0, b = 0] }: Color): number {
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function ratio(one: Color, other: Color): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].toSorted((x, y) => x - y);
  return (light + 0.05) / (dark + 0.05);
}
