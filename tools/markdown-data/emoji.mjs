// Which names an emoji has, and which comes first.

/**
 * Code → names, the shown one first. `vocabulary` is the text of emoji-names.tsv: it says which emoji there are, and its
 * names mean what it says. `sets` are the package's sets of names in order of precedence; they add names that are free.
 */
export function emojiTable(vocabulary, sets) {
  const table = new Map(vocabularyOf(vocabulary));
  const claimed = new Set([...table.values()].flat());
  for (const set of sets)
    for (const [hexcode, names] of Object.entries(set)) {
      const code = codeOf(hexcode);
      for (const name of [names].flat().map(plain)) {
        if (!table.has(code) || claimed.has(name) || !fits(name, code)) continue;
        claimed.add(name);
        table.get(code).push(name);
      }
    }
  return Object.fromEntries(table);
}

/** Pairs of code and names. A line is a code, the name shown, and the other names with spaces between them. */
function vocabularyOf(text) {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return lines.map((line) => {
    const [code, shown, others = ''] = line.split('\t');
    return [code, [shown, ...others.split(' ').filter((name) => name !== '')]];
  });
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
