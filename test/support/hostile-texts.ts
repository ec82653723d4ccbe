const sentence =
  'The lift is broken again, so please take the stairs. Mia asked for a new one; nobody has answered yet.\n';

/** Repeats a text up to a length. */
function fill(piece: string, length: number): string {
  return piece.repeat(Math.ceil(length / piece.length)).slice(0, length);
}

function lines(length: number, line: (index: number) => string): string {
  let text = '';
  for (let index = 0; text.length < length; index++) text += `${line(index)}\n`;
  return text.slice(0, length);
}

/** Returns different formulas in a row. */
function formulas(count: number, source: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => `$$${source(index)}$$`).join(' ');
}

/** Texts whose repetition has slowed down renderers: openers without closers, wrong closers, deep nesting. */
const pieces = {
  lists: ['> ', '>', '> a\n', '- ', '* a\n', '1. ', '- a\n\n', '- a\n  - b\n', '- - - a\n', '\n  b\n'],
  brackets: [
    '[',
    '[a](',
    '[a](b',
    '[[a](b',
    '![a](b',
    '[a](<b> "',
    '[a](javascript:',
    '[a](b[)',
    '[a](x "y) ',
    '[a](http://b.c) ',
  ],
  marks: [
    '`',
    '`a ``b ',
    '\\`',
    '`a` ',
    '*',
    '*a ',
    '**a *b ',
    '***a ',
    '*a* ',
    '**a** ',
    '* a *',
    '***a***',
    '~~a ',
    '~~a~~',
    '~',
  ],
  names: ['@**', '@**Max Member** ', '@*a', '@**a|b', '#**general>', '#**general** ', '<time:'],
  formulas: ['$$a$$ ', '$$', '$$a ', '\\$$a'],
  addresses: [
    'http://',
    'http://a ',
    'http://a.b/c ',
    ':http://a/',
    '(http://a/',
    'http://a/()',
    'http://a/((((((((((',
    ':http://a/(b)',
  ],
  domains: ['a.', 'é', 'é.', 'a@', 'www.example.com,', 'a.com(', ',a@b.', '<a.b', "'a.com/("],
  emoji: [':a', ':heart:', 'a:b', '👍', '👨‍👩‍👧', ':)', ' :) ', '\u{1f468}\u200d', '🇩', '#️⃣'],
  entities: ['&a;', '&', '&#', '<'],
  spaces: ['\n', 'a\n', '\t', 'a\t', ' ', '\r'],
  fences: [
    '```\n',
    '```quote\n',
    '```spoiler a\n',
    '~~~\n```\n',
    '```math\na\n```\n',
    '```quote\nx\n',
    '    a\n',
    '    a\n\n',
  ],
  blocks: ['# a\n', '#\n', '---\n', 'a\n---\n', '-', '# a #', '|', '|a|\n|-|\n'],
};

/** Returns texts of about `length` characters that try to make rendering slow, by name, and `plain` for comparison. */
export function hostileTexts(length: number): Readonly<Record<string, string>> {
  const half = length >> 1;
  return {
    plain: fill(sentence, length),
    ...Object.fromEntries(
      Object.values(pieces)
        .flat()
        .map((piece) => [JSON.stringify(piece), fill(piece, length)]),
    ),
    'quotes, then lazy lines': `${'>'.repeat(half)}\n${fill('x\n', half)}`,
    'deeper and deeper quotes': lines(length, (index) => `${'> '.repeat(index % 60)}x`),
    'deeper and deeper lists': lines(length, (index) => `${' '.repeat(index)}- x`),
    'longer and longer runs of backticks': lines(length, (index) => '`'.repeat(index)).replaceAll('\n', ' '),
    'longer and longer fences': lines(length, (index) => `${'`'.repeat(3 + index)}quote`),
    'nested emphasis': `${fill('*a ', half - 2)}*b*${fill(' c*', half - 2)}`,
    'emphasis in a nest that is too deep': `*x ${fill('*a ', 57)}*b*${fill(' c*', 57)}${fill('a*b*', length - 120)}`,
    'nested brackets': `${'['.repeat(half / 2)}a${']('.repeat(half / 2)}`,
    'nested links with a title': `${fill('[a]((', half)} "x${')'.repeat(half - 3)}`,
    'nested links that are refused at their end': `${fill('[a](http://b/', half)}\u0001${')'.repeat(half - 1)}`,
    'nested pictures': `${fill('![a](/', half)}${')'.repeat(half)}`,
    'pictures within the text of pictures': `${fill('![', half)}${fill('](b)x', half)}`,
    'nested links': `${fill('[a](b ', half)}${')'.repeat(half)}`,
    'addresses before a quote': `${fill(':http://a/', length - 2)}"x`,
    'addresses before a bracket': `${fill(':http://a/', length - 20)}(${'x'.repeat(19)}`,
    'mail to a long domain': `${'é'.repeat(half)}@${fill('a.', half)}`,
    'a link that never ends': `#**general${fill('>a@1', length)}`,
    'a long formula': `$$${fill('\\frac{a}{b}', 990)}$$`,
    'as many long formulas as are drawn': formulas(10, (index) => `${index}${fill('\\frac{a}{b}', 990)}`),
    'formulas that become too long': formulas(10, (index) => `${index}${fill('é', 990)}`),
    'formulas that repeat what they hold': formulas(
      30,
      (index) => `\\def\\a#1{${fill('#1', 140)}}\\a{${fill('x', 140)}}${index}`,
    ),
    'formulas that expand and expand': formulas(
      30,
      (index) => `\\def\\a{${fill('x', 120)}}${fill('\\a', 160)}${index}`,
    ),
    'formulas that are none': formulas(10, (index) => `\\frac{${fill('\\frac{a}{b}', 900)}${index}`),
    'many formulas': lines(length, (index) => `$$x_{${index}}$$`).replaceAll('\n', ' '),
    'many people': lines(length, (index) => `@**n${index}**`),
    'many people by their numbers': lines(length, (index) => `@**n|${index}**`),
    'many groups': lines(length, (index) => `@*g${index}*`),
    'many channels': lines(length, (index) => `#**c${index}**`),
    'many topics': lines(length, (index) => `#**general>t${index}**`),
    'many messages': lines(length, (index) => `#**general>t@${index}**`),
    'many files': lines(length, (index) => `[a](/user_uploads/2/ab/${index}.txt)`),
    'a file of dots': `[a](/user_uploads/2/ab/${'.'.repeat(length - 30)}x.)`,
    'many pictures': lines(length, (index) => `http://h.com/${index}.png`),
    'many sites': lines(length, (index) => `http://h${index}.com/a`),
    'a wide table': `${fill('|a', 3000)}\n${fill('|-', 3000)}\n${fill('x\n', length - 6000)}`,
    'a table with backticks': `a|b\n-|-\n${fill('`|', length - 8)}`,
    'a long table': `|a|b|\n|-|-|\n${fill('|1|2|\n', length - 12)}`,
    'spaces in a table': `|${' '.repeat(half)}|\n|-${' '.repeat(half)}|`,
    'a line that is no fence at its very end': `\`\`\`${'a'.repeat(length - 4)}\``,
    'code of one language': `\`\`\`python\n${fill('x = 1\n', length - 10)}`,
  };
}
