import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { html } from '#kernel/html';
import { describeTranslation } from '../../../../test/support/translation.ts';
import { english } from './english/index.ts';
import { german } from './german/index.ts';
import { wordsFor } from './index.ts';

const FEATURES = join(import.meta.dirname, '..', '..');
/** The slices without the catalogues. */
const sources = readdirSync(FEATURES, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts') && !path.includes('.test.') && !/words\/(?:english|german)\//.test(path))
  .map((path) => readFileSync(join(FEATURES, path), 'utf8'))
  .join('\n');

describeTranslation('the German texts of pages', english, german, ['Apps', 'Code', 'Name', 'Passkeys']);

describe('the texts of pages', () => {
  it('are used', () => {
    expect(Object.keys(english).filter((key) => !sources.includes(`'${key}'`))).toEqual([]);
  });

  const wordsOf = (field: string | undefined, language = 'en') => {
    const realm = { language } as Parameters<typeof wordsFor>[0]['realm'];
    return wordsFor({ actor: null, headers: field === undefined ? {} : { 'accept-language': field }, realm });
  };

  it.each([
    [undefined, 'en', 'en'],
    [undefined, 'de', 'de'],
    ['', 'de', 'de'],
    ['de', 'en', 'de'],
    ['de-AT,de;q=0.9,en;q=0.8', 'en', 'de'],
    ['en-US,en;q=0.9,de;q=0.8', 'de', 'en'],
    ['en;q=0.5, DE-ch;q=0.7', 'en', 'de'],
    ['fr-FR, de;q=0.2', 'en', 'de'],
    ['fr, *;q=0.1', 'de', 'de'],
    ['de;q=0, en;q=0.1', 'de', 'en'],
    ['de;q=0', 'en', 'en'],
    ['de;q=x', 'en', 'en'],
    ['deutsch', 'en', 'en'],
    ['constructor', 'constructor', 'en'],
  ])('are in the language of %j, in an organization of %s: %s', (field, organization, language) => {
    expect(wordsOf(field, organization).language).toBe(language);
  });

  it('have their values filled in', () => {
    const { t } = wordsOf('de');
    expect(t('join.title', { name: 'Krähen {name}' })).toBe('Krähen {name} beitreten');
    expect([1, 2].map((count) => t('wait.minutes', { count }))).toEqual(['eine Minute', '2 Minuten']);
  });

  it('have elements filled in as they are, and everything else as text', () => {
    const { rich } = wordsOf('de');
    const given = { email: html`<b>a&amp;b</b>`, name: '<Krähen>' };
    expect(String(rich('newAddress.ask', given))).toBe('Willst du <b>a&amp;b</b> bei &lt;Krähen&gt; benutzen?');
  });

  it('say refusals in the language of the reader, with what the server filled in', () => {
    const { refusal } = wordsOf('de');
    expect(refusal('The password needs at least 12 characters.')).toBe('Das Passwort braucht mindestens 12 Zeichen.');
    expect(refusal('Email addresses containing + are not allowed.')).toBe('Adressen mit + sind nicht erlaubt.');
    expect(refusal('You can invite at most 300 people at once.')).toContain('höchstens 300 Personen');
    expect(refusal('Something that no page expects')).toBe('Something that no page expects');
    expect(refusal(undefined)).toBeUndefined();
    expect(wordsOf('en').refusal('Name too short!')).toBe('Name too short!');
  });
});
