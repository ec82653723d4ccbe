import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { asId } from '#kernel/ids';
import { compileLinkifiers, type MarkdownWorld, renderMarkdown } from '#kernel/markdown';
import { least, processorMs } from '../../../test/support/processor.ts';
import { callOfSample, payloadOfSample } from './document.ts';
import { HeaderMissing, PayloadFault, UnsupportedEvent } from './faults.ts';
import { Field } from './field.ts';
import type { Integration, Sample } from './integration.ts';
import { INTEGRATIONS } from './registry.ts';
import { isWanted, type Saying, say } from './say.ts';

const each = INTEGRATIONS.map((one) => [one.name, one] as const);
const said = (one: Integration, sample: Sample, payload = payloadOfSample(sample)) =>
  say(one, payload, callOfSample(sample));
/** Traces of a value that was not there. */
const HOLES = /\bundefined\b|\[object|\bNaN\b|Invalid Date|\( *\)|\*\*\*\*| {2,}\S/;

/** What is said, or nothing where the payload is refused. */
function trySay(one: Integration, sample: Sample, payload: unknown): readonly Saying[] {
  try {
    return say(one, payload, callOfSample(sample));
  } catch (error) {
    if (error instanceof PayloadFault || error instanceof UnsupportedEvent || error instanceof HeaderMissing) return [];
    throw error;
  }
}

/** The payload with something else at every place, one place at a time. */
function* variants(value: unknown, other: unknown): Generator<unknown> {
  yield other;
  if (Array.isArray(value))
    for (const [index, one] of value.entries())
      for (const changed of variants(one, other)) yield value.with(index, changed);
  else if (typeof value === 'object' && value !== null)
    for (const [name, one] of Object.entries(value))
      for (const changed of variants(one, other)) yield { ...value, [name]: changed };
}

/** Every text of a payload replaced. */
function replaced(value: unknown, text: (old: string, name: string) => string, name = ''): unknown {
  if (typeof value === 'string') return text(value, name);
  if (Array.isArray(value)) return value.map((one) => replaced(one, text, name));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, replaced(one, text, key)]));
}

/** What people format as they like before they send it; only mentions are taken from it. */
const WRITTEN = new Set(['ifttt', 'zapier']);

const WORLD: MarkdownWorld = {
  realm: {
    url: 'https://chat.example.com',
    emoji: new Map(),
    linkifiers: compileLinkifiers([]),
    defaultCodeLanguage: '',
    mediaProxy: null,
  },
  users: [{ user_id: asId(4), full_name: 'Max Member', is_active: true }],
  groups: [{ id: asId(21), name: 'support', is_system_group: false, deactivated: false }],
  channels: [],
  topics: [],
  uploads: [],
  alertWords: null,
  websites: new Map(),
  imagePreviews: true,
  websitePreviews: true,
  translateEmoticons: false,
  fromMail: false,
};
const html = (content: string) => renderMarkdown(content, WORLD);

describe('the registry of integrations', () => {
  it('holds every file of the folder, once', () => {
    const isIntegration = (file: string) => file !== 'index.ts' && !file.endsWith('.samples.ts');
    const files = readdirSync(new URL('services', import.meta.url)).filter(isIntegration);
    expect(INTEGRATIONS.map(({ name }) => `${name}.ts`).toSorted()).toEqual(files.toSorted());
  });
});

/** Texts by which a careless pattern takes the square of their length. */
const HURTING = ['<', '_', ' ', '`', '\\', '*', '[', '(', '"', '&', '{{', '<br ', ': ', '-', '*App ', 'a_', '<a <'];
/** Characters of all texts of a payload that is read as it is. */
const MAX_HURTING = 200_000;

it('lets nobody wait for a payload of tens of thousands of links', async () => {
  const one = INTEGRATIONS.find(({ name }) => name === 'slack_incoming');
  const text = { type: 'mrkdwn', text: '<a><'.repeat(5000) };
  const payload = { blocks: Array.from({ length: 100 }, () => ({ type: 'section', text })) };
  const call = { header: () => '', maybeHeader: () => '', option: () => '' };
  const cost = () => processorMs(() => one && say(one, payload, call));
  expect(await least(50, cost)).toBeLessThan(50);
});

describe.each(each)('the integration %s', (name, one) => {
  it('takes no longer with texts made to hurt', async () => {
    for (const sample of one.samples)
      for (const piece of HURTING) {
        let texts = 0;
        const isLong = (old: string) => old.length > 12;
        replaced(payloadOfSample(sample), (old) => ((texts += isLong(old) ? 1 : 0), old));
        const length = Math.min(20_000, MAX_HURTING / Math.max(1, texts));
        const hurting = `${piece.repeat(length / piece.length)}x`;
        const payload = replaced(payloadOfSample(sample), (old) => (isLong(old) ? hurting : old));
        const cost = () => processorMs(() => trySay(one, sample, payload));
        expect(await least(50, cost), `${sample.of}, ${piece}`).toBeLessThan(50);
      }
  });

  it('is declared well', () => {
    expect(name).toMatch(/^[a-z][a-z0-9_]+$/);
    expect(one.setUp).toMatch(/^[A-Z].*\.$/s);
    expect(one.samples.length).toBeGreaterThanOrEqual(3);
    expect(new Set(one.samples.map(({ of }) => of)).size).toBe(one.samples.length);
    expect(one.options?.some(({ key }) => key === 'webhook_secret') ?? false).toBe(one.signature !== undefined);
  });

  it('reads nothing of its address that it does not declare, so that all of it is bounded', () => {
    const declared = [...(one.options ?? []).map(({ key }) => key), ...(one.adds ?? [])];
    for (const sample of one.samples) {
      const call = callOfSample(sample);
      const read: string[] = [];
      const option = (wanted: string) => {
        read.push(wanted);
        return call.option(wanted);
      };
      say(one, payloadOfSample(sample), { ...call, option });
      expect(declared, sample.of).toEqual(expect.arrayContaining(read));
    }
  });

  it('has a sample of every kind of event, and names no other', () => {
    const events = one.samples.flatMap((sample) => said(one, sample).map(({ event }) => event));
    if (one.events) expect(new Set(events)).toEqual(new Set(one.events));
    else expect(events.filter((event) => event !== undefined)).toEqual([]);
  });

  it.each(one.samples.map((sample) => [sample.of, sample] as const))('says something whole: %s', (_of, sample) => {
    const all = said(one, sample);
    expect(all.length).toBeGreaterThan(0);
    for (const { topic, content } of all) {
      expect(topic).not.toMatch(HOLES);
      expect(topic).not.toBe('');
      expect(content.replaceAll(/```[^]*?```/g, '')).not.toMatch(HOLES);
      expect(content.length).toBeLessThan(10_000);
    }
  });

  it('never fails for what is missing or of another kind', () => {
    for (const sample of one.samples) {
      for (const other of [undefined, null, 7, -1e300, true, '', 'x', [], [[null]], {}, { a: { b: null } }])
        for (const payload of variants(payloadOfSample(sample), other))
          for (const { topic, content } of trySay(one, sample, payload)) {
            expect(`${topic}\n${content}`).not.toMatch(/\bundefined\b|\[object|\bNaN\b|Invalid Date/);
          }
    }
  });

  it('knows nothing by a name that every object has', () => {
    for (const sample of one.samples) {
      const payload = payloadOfSample(sample);
      const said = [...variants(payload, 'constructor')].flatMap((other) => trySay(one, sample, other));
      for (const [name, value] of Object.entries(sample.headers ?? {}))
        for (const other of [value.replace(/\w+/, 'constructor'), value.replace(/\w+$/, 'constructor')])
          said.push(...trySay(one, { ...sample, headers: { ...sample.headers, [name]: other } }, payload));
      for (const { topic, content } of said) expect(`${topic}\n${content}`).not.toContain('native code');
    }
  });

  it('neither mentions, nor breaks out, nor links for a sender', async () => {
    const texts = [
      'x @**all** y',
      '@*support*',
      'a\n@**Max Member**\n# big',
      '](https://evil.example/) [x](https://evil.example)',
      '** ~~ ` ``` <time:2026-01-01> $$x$$',
      '``` \n```` quote\n@**all**',
      '> q\n\n```\n@**everyone**\n```',
    ];
    for (const sample of one.samples)
      for (const hostile of texts) {
        const payload = replaced(payloadOfSample(sample), (old, key) => (isWord(old, key) ? old : hostile));
        for (const { content, topic } of trySay(one, sample, payload)) {
          expect(topic).not.toMatch(/\p{Cc}/u);
          const rendering = await html(content);
          expect([...rendering.mentionedUserIds], content).toEqual([]);
          expect([...rendering.mentionedGroupIds], content).toEqual([]);
          const open = rendering.html.replaceAll(/<blockquote>[^]*?<\/blockquote>/g, '');
          expect(open, content).not.toMatch(/class="(?![^"]*silent)[^"]*mention/);
          if (WRITTEN.has(name)) continue;
          expect(open, content).not.toMatch(/class="[^"]*mention|<h1>|<time datetime="2026-01-01/);
          expect(open, content).not.toMatch(/<a href="https:\/\/evil[^>]*>(?!https:)/);
        }
      }
  });
});

/** Words that decide what is said, and addresses, which are no texts. */
function isWord(old: string, key: string): boolean {
  return /^https?:|^\S*$/.test(old) && !/name|title|message|text|body|subject|description|summary|comment/.test(key);
}

it.each([
  ['long texts', () => Array.from({ length: 100 }, () => 'x'.repeat(20_000)), 3, 20],
  ['many texts', () => Array.from({ length: 100 }, () => Array.from({ length: 100 }, () => 'x')), 1_000, 10_000],
])('a bounded part of a payload is looked at: %s (security#what-one-request-may-cost)', (_what, make, least, most) => {
  const texts = (field: Field): readonly string[] => [field.text, ...field.list.flatMap(texts)];
  const read = texts(new Field({ all: make() }).at('all')).filter((text) => text !== '');
  expect(read.length).toBeGreaterThan(least);
  expect(read.length).toBeLessThan(most);
});

it('a template that names a value often makes text of it once', () => {
  const generic = INTEGRATIONS.find(({ name }) => name === 'generic');
  let made = 0;
  const value = { toJSON: () => `made ${++made}` };
  const sample = { of: 'A value', query: `content_template=${'{{a}}'.repeat(3)}`, json: {} };
  const [told] = generic ? said(generic, sample, { a: value }) : [];
  expect(told?.content).toBe('"made 1"'.repeat(3));
});

describe('events of an address', () => {
  it.each([
    ['push', ['push'], [], true],
    ['push', ['pull*'], [], false],
    ['pull_request', ['pull*'], ['*_review'], true],
    ['pull_request_review', ['pull*'], ['*_review'], false],
    ['a', ['?'], [], true],
    ['ab', ['?'], [], false],
    ['a.b.c', ['*b*'], [], true],
    ['x', [], ['*'], false],
    ['aaaaaaaaaaaaaaaaaaaaaaaaaaaab', ['*a*a*a*a*a*a*a*a*c'], [], false],
    [undefined, ['push'], ['*'], true],
  ] as const)('%s with only %j and without %j: %s', (event, only, excluded, wanted) => {
    expect(isWanted(event, only, excluded)).toBe(wanted);
  });
});
