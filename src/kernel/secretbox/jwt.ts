import { createPrivateKey, type KeyObject, sign } from 'node:crypto';

/** A key that signs tokens for services of others: of P-256 (ES256) or RSA (RS256). RFC 7518 §3. */
export interface TokenKey {
  readonly algorithm: 'ES256' | 'RS256';
  readonly key: KeyObject;
}

/** Reads a private key in PEM; undefined when it is none, or of another kind. */
export function parseTokenKey(pem: string): TokenKey | undefined {
  try {
    const key = createPrivateKey(pem);
    if (key.asymmetricKeyType === 'rsa') return { algorithm: 'RS256', key };
    const isP256 = key.asymmetricKeyType === 'ec' && key.asymmetricKeyDetails?.namedCurve === 'prime256v1';
    return isP256 ? { algorithm: 'ES256', key } : undefined;
  } catch {
    return undefined;
  }
}

/** A signed token. RFC 7519. */
export function signToken({ algorithm, key }: TokenKey, header: object, claims: object): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const signed = `${part({ ...header, alg: algorithm })}.${part(claims)}`;
  const signature = sign('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' });
  return `${signed}.${signature.toString('base64url')}`;
}
