import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SAML_SERVER_CERTIFICATE, SAML_SERVER_KEY } from '../../test/support/saml-certificates.ts';
import { SAML_ISSUER, SAML_SIGN_IN } from '../../test/support/saml-provider.ts';
import { type Attack, posting } from './attack.ts';

/** Returns the environment of a server with a SAML provider. */
export function samlIn(folder: string): Readonly<Record<string, string>> {
  const file = join(folder, 'sign-in.json');
  const provider = {
    kind: 'saml',
    id: 'acme',
    name: 'Acme',
    issuer: SAML_ISSUER,
    sign_in_url: SAML_SIGN_IN,
    certificates: [SAML_SERVER_CERTIFICATE],
    private_key: SAML_SERVER_KEY,
    certificate: SAML_SERVER_CERTIFICATE,
  };
  writeFileSync(file, JSON.stringify({ providers: [provider] }), { mode: 0o600 });
  return { ROOST_SIGN_IN_FILE: file };
}

/** Makes an attack of a forged SAML answer by an unauthenticated caller. */
function answer(name: string, make: () => string): Attack {
  return {
    name: `SAML: ${name}`,
    send: () => {
      const form = new URLSearchParams({ SAMLResponse: Buffer.from(make()).toString('base64') });
      return posting('/complete/acme/', { 'content-type': 'application/x-www-form-urlencoded' }, form.toString());
    },
  };
}

/** Size of an answer that fits into the form after encoding. */
const BYTES = 30_000;
const filled = (piece: string) => piece.repeat(Math.floor(BYTES / piece.length));

/** Forged answers of SAML providers. */
export const LOGINS: readonly Attack[] = [
  answer('elements within one another', () => `<Response>${filled('<a>')}`),
  answer('elements beside one another', () => `<Response>${filled('<a/>')}</Response>`),
  answer('attributes', () => `<Response ${Array.from({ length: 5_000 }, (_none, n) => `a${n}=""`).join(' ')}/>`),
  answer('entities', () => `<Response>${filled('&amp;')}</Response>`),
  answer('no end', () => `<Response>${filled('<a b="')}`),
];
