// Writes the data files of the Markdown room from packages that are needed for nothing else:
//   npm install --no-save emojibase-data@17.0.0 tlds@1.261.0
//   node tools/markdown-data/make.mjs node_modules
import { readFileSync, writeFileSync } from 'node:fs';
import { emojiTable } from './emoji.mjs';

const [, , packages = 'node_modules'] = process.argv;
const room = 'src/kernel/markdown/data';
const vocabulary = readFileSync(new URL('emoji-names.tsv', import.meta.url), 'utf8');
const read = (path) => JSON.parse(readFileSync(`${packages}/${path}`, 'utf8'));
/** One entry a line, so that a change of one is a change of one line. */
const write = (name, value) => {
  const text = JSON.stringify(value).replaceAll('],"', '],\n"').replaceAll('","xn--', '",\n"xn--');
  writeFileSync(`${room}/${name}.data.json`, `${text}\n`);
};

const sets = ['github', 'iamcal', 'emojibase', 'joypixels', 'cldr'].map((set) =>
  read(`emojibase-data/en/shortcodes/${set}.json`),
);
write('emoji', emojiTable(vocabulary, sets));
write('top-level-domains', read('tlds/index.json'));
