import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import lexers from '../data/lexers.data.json' with { type: 'json' };
import { renderMarkdown } from '../index.ts';
import { makeWorld } from '../testing.ts';
import { CLASSES } from './classes.js';
import highlighters from './highlighters.data.json' with { type: 'json' };
import samples from './lexer-samples.data.json' with { type: 'json' };
import { type Code, highlightingThread } from './highlighting-thread.ts';

const world = makeWorld();
const htmlOf = async (text: string) => (await renderMarkdown(text, world)).html;
const fence = (word: string, code: string) => `\`\`\`${word}\n${code}\n\`\`\``;
const codeOf = (html: string) => /<pre><span><\/span><code>(.*)\n<\/code>/s.exec(html)?.[1] ?? '';
const plain = (html: string) => html.replace(/<\/?span[^>]*>/g, '');

/** Highlights one text after the other: loading all languages for one message would exceed its time limit. */
async function inTurn(thread: ReturnType<typeof highlightingThread>, codes: readonly Code[]) {
  const html: (string | undefined)[] = [];
  for (const code of codes) html.push(...(await thread.ask({ codes: [code], maxLength: 1e6 })).html);
  return html;
}

/** The classes of protocol/markdown#code-blocks. */
const KNOWN = new Set(
  (
    'w err x esc k kc kd kn kp kr kt n na nb bp nc no nd ni ne nf fm py nl nn nx nt nv vc vg vi vm l ld s sa sb sc dl sd ' +
    's2 se sh si sx sr s1 ss m mb mf mh mi il mo o ow p pm c ch cm cp cpf c1 cs g gd ge gr gh gi go gp gs gu ges gt'
  ).split(' '),
);

/** Code in which most languages highlight something: a string, a number, comments, keywords, an element. */
const ANYTHING =
  '# if x\n// if x\n-- if x\n% x\n; x\nif (x == "text") { return 12; } else\nfunction f() end\nselect 1 from t\n<a href="x">y</a>';
const OWN: Readonly<Record<string, string>> = {
  console: '$ ls -l',
  jlcon: 'julia> "x"',
  pycon: '>>> "x"',
  css: 'a { color: red }',
  diff: '+added\n-removed',
  docker: 'FROM scratch\nRUN x',
  http: 'GET / HTTP/1.1\nHost: x',
  ini: '[a]\nb = "c"',
  make: 'a: b\n\techo $(x)',
  md: '# *x*',
  properties: '# x\na = b',
  scss: '$a: 1px;',
  yaml: 'a: "b" # c',
};
/** Languages without syntax. */
const PLAIN = ['Text only', 'Text output'];
const LANGUAGES = Object.entries<readonly string[]>(lexers).filter(([name]) => !PLAIN.includes(name));
const TABLES = new Map<string, { readonly code: string; readonly html?: string }>(Object.entries(samples));

describe('highlighted code (protocol/markdown#code-blocks)', () => {
  it('has only classes that clients know, in spans that are not nested', async () => {
    expect(Object.values(CLASSES).filter((name) => name !== '' && !KNOWN.has(name))).toEqual([]);
    const source = '@cached\ndef hoot(times: int) -> str:\n    """Owls."""\n    return f"{times} & \'<b>\'"  # loud';
    expect(codeOf(await htmlOf(fence('py', source)))).toBe(
      [
        '<span class="cp">@cached</span>',
        '<span class="k">def</span> <span class="nf">hoot</span>(times: <span class="nb">int</span>) -&gt; <span class="nb">str</span>:',
        '    <span class="s">"""Owls."""</span>',
        '    <span class="k">return</span> <span class="s">f"</span>{times}<span class="s"> &amp; \'&lt;b&gt;\'"</span>  <span class="c"># loud</span>',
      ].join('\n'),
    );
  });

  it.each(LANGUAGES)('colours %s', async (name, [word = '']) => {
    const code = TABLES.get(name)?.code ?? OWN[word] ?? ANYTHING;
    const html = codeOf(await htmlOf(fence(word, code)));
    expect(html).toContain('<span class="');
    expect(html.replace(/<span class="[a-z0-9]+">[^<>]*<\/span>/g, '')).not.toMatch(/[<>]/);
    const classes = [...html.matchAll(/<span class="([a-z0-9]+)">/g)].map(([, one = '']) => one);
    expect(classes.filter((one) => !KNOWN.has(one))).toEqual([]);
    expect(plain(html).replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&').trim()).toBe(
      code.replaceAll('\t', '    ').trim(),
    );
  });

  it('is the same by the tables as by the lexers from which they were made', async () => {
    const thread = highlightingThread(60_000);
    const wanted = Object.entries(highlighters).flatMap(([name, language]) => {
      const { code = '', html } = TABLES.get(name) ?? {};
      return html === undefined ? [] : [{ name, html, code: { language, code, escapesQuotes: false } }];
    });
    expect(wanted.length).toBeGreaterThan(180);
    const html = await inTurn(
      thread,
      wanted.map(({ code }) => code),
    );
    expect(wanted.filter((one, index) => html[index] !== one.html).map(({ name }) => name)).toEqual([]);
  });

  it('knows every language by all its names, and uses only highlighters that exist', async () => {
    expect(LANGUAGES.length).toBe(Object.keys(lexers).length - PLAIN.length);
    expect(Object.keys(highlighters).toSorted()).toEqual(LANGUAGES.map(([name]) => name).toSorted());
    const thread = highlightingThread(60_000);
    const languages = [...new Set(Object.values(highlighters))];
    const codes = languages.map((language) => ({ language, code: 'x', escapesQuotes: false }));
    const html = await inTurn(thread, codes);
    expect(languages.filter((_, index) => html[index] === undefined)).toEqual([]);
    for (const word of lexers.Python) expect(await htmlOf(fence(word.toUpperCase(), 'def'))).toContain('class="k"');
  });

  it('stays plain without a language, and in one without a highlighter', async () => {
    for (const word of ['', 'text', 'output', 'nonsense'])
      expect(codeOf(await htmlOf(fence(word, 'if (x) y'))), word).toBe('if (x) y');
  });

  it('colours indented code that names its language, with its quotes escaped (protocol/markdown#indented-code)', async () => {
    expect(await htmlOf('    :::python\n    x = "it\'s"')).toBe(
      '<div class="codehilite"><pre><span></span><code>x = <span class="s">&quot;it&#39;s&quot;</span>\n</code></pre></div>',
    );
  });

  it('does not affect fences of formulas, quotes and spoilers', async () => {
    const html = await htmlOf(
      '```quote\n~~~js\nnull\n~~~\n```\n\n```spoiler x\n~~~js\nnull\n~~~\n```\n\n```math\nnull\n```',
    );
    expect(html.match(/<span class="kc">null<\/span>/g)).toHaveLength(2);
    expect(html).toContain('katex-display');
    expect(html).toContain('spoiler-block');
  });

  it('keeps every character of any text in any language, and nests no spans', async () => {
    const languages = [...new Set(Object.values(highlighters))];
    const thread = highlightingThread(60_000);
    const text = fc.string({ maxLength: 80, unit: fc.constantFrom(...'ab1 \n"\'`<>&;#/*-+=(){}[]$@%\\é😀') });
    const seen = { spans: 0 };
    await fc.assert(
      fc.asyncProperty(text, async (code) => {
        const html = await inTurn(
          thread,
          languages.map((language) => ({ language, code, escapesQuotes: false })),
        );
        for (const one of html) {
          expect(one?.replace(/<span class="[a-z0-9]+">([^<>]*)<\/span>/g, '$1')).toBe(
            code.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
          );
          if (one?.includes('<span')) seen.spans++;
        }
      }),
      { numRuns: 5 },
    );
    expect(seen.spans).toBeGreaterThan(100);
  });
});

describe('bounds of highlighting', () => {
  it('leave a text plain that takes the highlighter too long, and colour the next one', async () => {
    const thread = highlightingThread();
    const ask = async (code: string) =>
      (await thread.ask({ codes: [{ language: 'livescript', code, escapesQuotes: false }], maxLength: 1e6 })).html;
    for (let index = 0; index < 6; index++) await ask('if x\n'.repeat(2000));
    expect(await ask('a'.repeat(10_000))).toEqual([]);
    expect(await ask('# x')).toEqual(['<span class="c"># x</span>']);
  });

  it('allow 10,000 characters in each language that has a table', async () => {
    const thread = highlightingThread();
    const plainOnes: string[] = [];
    for (const [name, { code }] of TABLES) {
      const language = new Map(Object.entries(highlighters)).get(name) ?? '';
      const text = `${code}\n`.repeat(Math.ceil(10_000 / (code.length + 1))).slice(0, 10_000);
      // The first call compiles the table's expressions.
      await thread.ask({ codes: [{ language, code, escapesQuotes: false }], maxLength: 1e6 });
      const { html } = await thread.ask({ codes: [{ language, code: text, escapesQuotes: false }], maxLength: 1e6 });
      if (html[0]?.includes('<span') !== true) plainOnes.push(name);
    }
    expect(plainOnes).toEqual([]);
  });

  it('leave code beyond 10,000 characters, and blocks beyond 50, plain', async () => {
    const long = (length: number) => fence('py', `if ${'x'.repeat(length - 'if '.length)}`);
    expect(codeOf(await htmlOf(long(10_000)))).toContain('<span class="k">');
    expect(codeOf(await htmlOf(long(10_001)))).not.toContain('<span class="');
    const many = await htmlOf(Array.from({ length: 60 }, () => fence('py', 'if')).join('\n'));
    expect(many.match(/class="k"/g)).toHaveLength(50);
  });

  it('leave code plain whose HTML would be too long', async () => {
    const code = { language: 'c', code: '1 a '.repeat(50), escapesQuotes: false };
    const { html } = await highlightingThread().ask({ codes: [code, code], maxLength: 2000 });
    expect(html).toEqual([expect.stringContaining('<span class="m">1</span>'), undefined]);
  });

  it('leave code plain while twenty messages are waiting', async () => {
    const all = await Promise.all(Array.from({ length: 40 }, () => htmlOf(fence('py', 'if'))));
    const coloured = all.filter((html) => html.includes('class="k"'));
    expect(coloured).toHaveLength(20);
    expect(await htmlOf(fence('py', 'if'))).toContain('class="k"');
  });
});

it('loads a language when it is first used; an unknown one stays plain and does not affect others', async () => {
  const thread = highlightingThread(60_000);
  const ask = async (language: string) =>
    (await thread.ask({ codes: [{ language, code: 'if "x"', escapesQuotes: false }], maxLength: 1e6 })).html;
  expect(await ask('no such language')).toEqual([undefined]);
  expect(await ask('python')).toEqual(['<span class="k">if</span> <span class="s">"x"</span>']);
});
