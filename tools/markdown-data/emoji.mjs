// Which names an emoji has, and which comes first.
import { ownNames } from './emoji-names.mjs';

/**
 * Code → names, the shown one first. `emoji` is the package's list, `sets` its sets of names in order of precedence:
 * a name belongs to the first emoji that claims it.
 */
export function emojiTable(emoji, sets) {
  const wanted = emoji.filter((one) => one.group !== undefined && one.group !== COMPONENTS);
  const table = new Map(wanted.map((one) => [codeOf(one.hexcode), []]));
  const claimed = new Set();
  const claim = (code, name) => {
    if (!table.has(code) || claimed.has(name) || !fits(name, code)) return;
    claimed.add(name);
    table.get(code).push(name);
  };
  for (const [code, names] of Object.entries(ownNames)) for (const name of names) claim(code, name);
  for (const one of wanted)
    if (isFlag(one)) claim(codeOf(one.hexcode), `flag_${plain(one.label.replace('flag: ', ''))}`);
  for (const set of sets) {
    for (const one of wanted)
      for (const name of [set[one.hexcode] ?? []].flat()) claim(codeOf(one.hexcode), plain(name));
  }
  return Object.fromEntries([...table].filter(([, names]) => names.length > 0));
}

/** Skin tones and pieces of hair, which are no emoji of their own. */
const COMPONENTS = 2;

function isFlag(one) {
  return one.label.startsWith('flag: ');
}

/** Code points in lower-case hex, without the mark for emoji presentation. */
function codeOf(hexcode) {
  return hexcode
    .toLowerCase()
    .split('-')
    .filter((point) => point !== 'fe0f')
    .join('-');
}

function plain(name) {
  const ascii = name.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
  return ascii.replace(/[^a-z0-9+]+/g, '_').replace(/^_+|_+$/g, '') || name;
}

/** Two letters are codes of countries in some sets; running text has too many of them between colons. */
function fits(name, code) {
  return /^[a-z0-9_+-]+$/.test(name) && !(/^[a-z]{2}$/.test(name) && code.startsWith('1f1'));
}
