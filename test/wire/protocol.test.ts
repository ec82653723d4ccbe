import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { citedText } from '../support/protocol.ts';
import { endpoints } from '../../src/server.ts';

const folder = new URL('../../docs/protocol/', import.meta.url);
const pages = readdirSync(folder).map((name) => readFileSync(new URL(name, folder), 'utf8'));
const protocol = pages.join('\n').replaceAll(/\s+/g, ' ');
const codes = new Set([...citedText('protocol/errors#codes').matchAll(/`([A-Z_]+)`/g)].map(([, code]) => code));

const declared = endpoints.flatMap(({ id, fails }) => fails.map(({ row }) => ({ id, ...row })));
/** What of a message is the same each time; a page may give its values other names. */
const constantParts = (text: string) => text.split(/\{\w+\}/).map((part) => part.trim());

describe('the errors that operations declare', () => {
  it('are all in the protocol, word by word', () => {
    expect(declared.length).toBeGreaterThan(500);
    const missing = declared.filter(({ text }) => !constantParts(text).every((part) => protocol.includes(part)));
    expect(missing.map(({ id, text }) => [id, text])).toEqual([]);
  });

  it('have codes that the table of codes explains (protocol/errors#codes)', () => {
    expect(declared.filter(({ code }) => !codes.has(code)).map(({ id, code }) => [id, code])).toEqual([]);
  });
});
