import { afterEach, describe, expect, it, vi } from 'vitest';
import { readConfig } from '#kernel/config';
import { signInFile } from '../../../test/support/identity-provider.ts';
import {
  SAML_PROVIDER_CERTIFICATE,
  SAML_SERVER_CERTIFICATE,
  SAML_SERVER_KEY,
} from '../../../test/support/saml-certificates.ts';
import { checkSignIn } from './sign-in.ts';

const ACME = {
  kind: 'saml',
  id: 'acme',
  name: 'Acme',
  issuer: 'https://idp.acme.example/saml',
  sign_in_url: 'https://idp.acme.example/sso',
};

describe('what the doctor says of SAML providers', () => {
  afterEach(() => void vi.useRealTimers());

  async function said(certificates: readonly string[]) {
    const findings = await checkSignIn(readConfig(signInFile({ providers: [{ ...ACME, certificates }] })));
    return findings
      .filter(({ about, says }) => about === 'sign-in acme' && says.includes('certificate'))
      .map(({ state, says }) => `${state}: ${says}`);
  }

  it('names the day until which a certificate is good, before and after it', async () => {
    expect(await said([SAML_PROVIDER_CERTIFICATE])).toEqual(['ok: certificates are good until 2126-10-30']);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2126-10-20T00:00:00Z') });
    const near = 'note: a certificate ends on 2126-10-30: put the new one beside it before';
    expect(await said([SAML_PROVIDER_CERTIFICATE])).toEqual([near]);
    vi.setSystemTime(Date.parse('2126-11-20T00:00:00Z'));
    const over = 'FAIL: a certificate ended on 2126-10-30: put the new one in its place';
    expect(await said([SAML_PROVIDER_CERTIFICATE])).toEqual([over]);
  });

  it('finds a certificate that is none', async () => {
    const broken = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----';
    expect(await said([broken])).toEqual(['FAIL: a certificate of it cannot be read']);
  });

  it('says what follows from what is left out', async () => {
    const file = signInFile({ providers: [{ ...ACME, certificates: [SAML_PROVIDER_CERTIFICATE] }] });
    const notes = (await checkSignIn(readConfig(file))).filter(({ state }) => state === 'note');
    expect(notes.map(({ says }) => says)).toEqual([
      'requests are not signed: give it a key with private_key',
      'addresses join nothing: see emails_verified',
    ]);
    const whole = {
      ...ACME,
      certificates: [SAML_PROVIDER_CERTIFICATE],
      private_key: SAML_SERVER_KEY,
      certificate: SAML_SERVER_CERTIFICATE,
      emails_verified: true,
    };
    const findings = await checkSignIn(readConfig(signInFile({ providers: [whole] })));
    expect(findings.map(({ state }) => state)).toEqual(['ok', 'ok']);
  });
});
