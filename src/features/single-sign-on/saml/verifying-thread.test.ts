import { expect, it } from 'vitest';
import { CERTIFICATE } from '../../../../test/support/certificate.ts';
import { least, longestTurnMs } from '../../../../test/support/processor.ts';
import { signedAssertion } from './library.ts';
import { verified } from './verifying-thread.ts';

const [SIGNATURE, DIGEST, EXCLUSIVE] = [
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
  'http://www.w3.org/2001/04/xmlenc#sha256',
  'http://www.w3.org/2001/10/xml-exc-c14n#',
];
const reference = `<Reference URI="#_a"><Transforms><Transform Algorithm="${EXCLUSIVE}"/></Transforms>
  <DigestMethod Algorithm="${DIGEST}"/><DigestValue>AAAA</DigestValue></Reference>`;
const signature = `<Signature xmlns="http://www.w3.org/2000/09/xmldsig#"><SignedInfo>
  <CanonicalizationMethod Algorithm="${EXCLUSIVE}"/><SignatureMethod Algorithm="${SIGNATURE}"/>${reference}
  </SignedInfo><SignatureValue>AAAA</SignatureValue></Signature>`;
const element = `<a${Array.from({ length: 4 }, (_none, n) => ` a${n}="1"`).join('')}/>`;
const answer = `<Response><Assertion ID="_a">${signature}${element.repeat(980)}</Assertion></Response>`;

const provider = {
  kind: 'saml',
  id: 'acme',
  name: 'Acme',
  issuer: 'https://idp.acme.test',
  sign_in_url: 'https://idp.acme.test/sso',
  certificates: [CERTIFICATE],
} as const;
const here = 'https://acme.test/complete/acme/';
const peer = { provider: { ...provider, certificates: [CERTIFICATE] }, answer: here, entity: here, logout: here };

it('lets others be served while the largest answer of nobody is compared with its signature', async () => {
  const refuse = () =>
    expect(signedAssertion(peer, Buffer.from(answer).toString('base64'), undefined)).rejects.toMatchObject({
      code: 'signature',
    });
  expect(await least(30, () => longestTurnMs(refuse))).toBeLessThan(30);
});

it('refuses messages where dozens wait, and takes them again afterwards', async () => {
  const task = { kind: 'encrypted', message: '<a/>', key: '' } as const;
  const reasons = await Promise.all(Array.from({ length: 80 }, () => verified(task).catch(({ reason }) => reason)));
  expect(reasons.filter((reason) => reason === 'busy')).toHaveLength(80 - 64);
  await expect(verified(task)).rejects.not.toMatchObject({ reason: 'busy' });
});
