import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { noIdentity, readIdentity } from './index.ts';

const path = join(mkdtempSync(join(tmpdir(), 'roost-test-')), 'sign-in.json');
const read = (content: unknown) => {
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return readIdentity(path);
};
const OKTA = { kind: 'openid', id: 'okta', name: 'Okta', issuer: 'https://okta.example', client_id: 'x' };

describe('the file of identity providers', () => {
  it('may be none, and names providers in order', () => {
    expect(readIdentity(undefined)).toBe(noIdentity);
    const hub = { kind: 'github', id: 'hub', name: 'GitHub', client_id: 'y', client_secret: 'z' };
    expect(read({ providers: [hub, OKTA] }).providers.map(({ id }) => id)).toEqual(['hub', 'okta']);
  });

  it.each([
    ['is not JSON', '{"client_secret": "hush"', 'it is not JSON'],
    ['has an unknown member', { provider: [] }, 'Argument "provider" at the file is unexpected'],
    ['has an unknown member in a provider', { providers: [{ ...OKTA, secret: 'hush' }] }, '"secret" at providers[0]'],
    ['lacks an issuer', { providers: [{ ...OKTA, issuer: undefined }] }, 'providers[0]["issuer"] field is missing'],
    ['has an open address', { providers: [{ ...OKTA, issuer: 'http://okta.example' }] }, 'must begin with https://'],
    ['names a provider twice', { providers: [OKTA, OKTA] }, 'the id okta stands there twice'],
    ['has an id that no address can have', { providers: [{ ...OKTA, id: '../x' }] }, 'providers[0]["id"]'],
    ['has a short key', { jwt: { '': { algorithm: 'HS256', key: 'hush' } } }, 'is too short'],
  ])('is refused when it %s, and no secret is repeated', (_what, content, says) => {
    expect(() => read(content)).toThrow(says);
    expect(() => read(content)).not.toThrow('hush');
  });

  it('is refused when it cannot be read', () => {
    expect(() => readIdentity(`${path}.gone`)).toThrow('ROOST_SIGN_IN_FILE: it cannot be read');
  });
});
