import { afterEach, describe, expect, it, vi } from 'vitest';
import { readConfig } from '#kernel/config';
import { signInFile } from '../../../test/support/identity-provider.ts';
import { SAML_PROVIDER_CERTIFICATE } from '../../../test/support/saml-certificates.ts';
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
    return findings.filter(({ about }) => about === 'sign-in acme').map(({ state, says }) => `${state}: ${says}`);
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
});
