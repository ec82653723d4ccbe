import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { german } from './german/index.ts';
import { refusalIn } from './index.ts';

/** The server's sources in one text, with strings that are written in parts put together. */
function sourcesOfServer(): string {
  const src = join(import.meta.dirname, '../..');
  const paths = readdirSync(src, { recursive: true, encoding: 'utf8' });
  const sources = paths.filter((path) => /^(?!kernel\/refusals\/).*(?<!\.test)\.ts$/.test(path));
  const text = sources.map((path) => readFileSync(join(src, path), 'utf8')).join('\n');
  return text.replaceAll(/['`] \+\s*['`]/g, '').replaceAll(String.raw`\'`, "'");
}

describe('German texts of error messages', () => {
  it('are of messages that the server has', () => {
    const sources = sourcesOfServer();
    const isSaid = (message: string) => message.split(/\{\w+\}/).every((part) => sources.includes(part));
    expect(Object.keys(german).filter((message) => !isSaid(message))).toEqual([]);
  });

  it('show the values of the English ones, and no others', () => {
    const names = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(([name]) => name);
    const isWrong = ([message, text]: [string, string]) => names(text).some((name) => !names(message).includes(name));
    expect(Object.entries(german).filter(isWrong)).toEqual([]);
  });

  it('are written like the other German texts', () => {
    const isWrong = (text: string) => /["'“”„‚‘«»!]/.test(text.replaceAll(/„[^„“]+“/g, '')) || / {2}|\.\./.test(text);
    expect(Object.values(german).filter(isWrong)).toEqual([]);
  });
});

describe('an error message', () => {
  it.each([
    ['Wrong password!', 'Das Passwort ist falsch.'],
    ["Channel 'a' does not exist' does not exist", "Den Kanal „a' does not exist“ gibt es nicht"],
    ['Uploaded file is larger than the allowed limit of 25 MiB', 'Die Datei ist größer als erlaubt (höchstens 25 MiB)'],
    [
      'New email value error: Already has an account.',
      'Diese Adresse ist nicht möglich: Mit dieser Adresse gibt es schon ein Konto.',
    ],
    ["Invalid channel name 'No such user'", 'Den Kanal „No such user“ gibt es nicht, oder du darfst ihn nicht sehen'],
    ["Invalid channel name 'a\n$&'", 'Den Kanal „a\n$&“ gibt es nicht, oder du darfst ihn nicht sehen'],
  ])('%j is %j in German', (message, text) => {
    expect(refusalIn('de', message)).toBe(text);
  });

  it.each(['Something newer', 'constructor', '', `Invalid channel name '${'x'.repeat(2000)}'`])(
    'stays as it is where nothing is known of it: %j',
    (message) => {
      expect(refusalIn('de', message)).toBe(message);
    },
  );

  it('is English in English and in languages without texts', () => {
    expect(['en', 'fr', ''].map((language) => refusalIn(language, 'No such user'))).toEqual(
      Array.from({ length: 3 }, () => 'No such user'),
    );
  });
});
