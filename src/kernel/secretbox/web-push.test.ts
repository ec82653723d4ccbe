import { createECDH, createPublicKey, randomBytes, verify } from 'node:crypto';
import fc from 'fast-check';
import { decrypt } from 'http_ece';
import { describe, expect, it } from 'vitest';
import { lockPush, lockPushes, parsePushKeys, vapidHeader, vapidKeysOf } from './index.ts';

/** The example of RFC 8291, appendix A. */
const EXAMPLE = {
  plain: 'When I grow up, I want to be a watermelon',
  sender: 'yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw',
  p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  auth: 'BTBZMqHH6r4Tts7J_aSIgg',
  salt: 'DGv6ra1nlYgDCS1FRnbzlw',
  body:
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95' +
    'bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
};

const bytes = (text: string) => Buffer.from(text, 'base64url');
const keysOf = (p256dh: string, auth: string) => {
  const keys = parsePushKeys(p256dh, auth);
  if (!keys) throw new Error('no keys');
  return keys;
};

describe('a message for a push subscription (RFC 8291)', () => {
  it('is the one of the example', () => {
    const chosen = { salt: bytes(EXAMPLE.salt), sender: bytes(EXAMPLE.sender) };
    const body = lockPush(keysOf(EXAMPLE.p256dh, EXAMPLE.auth), Buffer.from(EXAMPLE.plain), chosen);
    expect(Buffer.from(body).toString('base64url')).toBe(EXAMPLE.body);
  });

  it('is read by another library with the keys of the subscription, and is another one each time', () => {
    const receiver = createECDH('prime256v1');
    receiver.generateKeys();
    const auth = randomBytes(16);
    const keys = keysOf(receiver.getPublicKey('base64url'), auth.toString('base64url'));
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 3_000 }), (plain) => {
        const body = Buffer.from(lockPush(keys, plain));
        const read = decrypt(body, {
          version: 'aes128gcm',
          privateKey: receiver,
          authSecret: auth.toString('base64url'),
        });
        expect(read).toEqual(Buffer.from(plain));
        expect(Buffer.from(lockPush(keys, plain))).not.toEqual(body);
      }),
      { numRuns: 30 },
    );
  });

  it.each([3, 60])('is for its subscription alone, also among %d that are encrypted together', async (count) => {
    const people = Array.from({ length: count }, (_, number) => {
      const pair = createECDH('prime256v1');
      pair.generateKeys();
      const auth = randomBytes(16).toString('base64url');
      return { pair, auth, text: `Ärger für ${number} ${'x'.repeat(number * 40)}` };
    });
    const letters = people.map(({ pair, auth, text }) => ({ ...keysOf(pair.getPublicKey('base64url'), auth), text }));
    const bodies = await lockPushes(letters);
    const read = people.map(({ pair, auth }, index) =>
      decrypt(Buffer.from(bodies[index] ?? []), {
        version: 'aes128gcm',
        privateKey: pair,
        authSecret: auth,
      }).toString(),
    );
    expect(read).toEqual(people.map(({ text }) => text));
    // No two have the sender's key in common. RFC 8291 §2.
    expect(new Set(bodies.map((body) => Buffer.from(body).toString('hex', 21, 86))).size).toBe(count);
  });

  it.each([
    ['an empty key', '', EXAMPLE.auth],
    ['a key that is too short', EXAMPLE.p256dh.slice(0, -4), EXAMPLE.auth],
    ['a point off the curve', bytes(EXAMPLE.p256dh).fill(1, 1).toString('base64url'), EXAMPLE.auth],
    ['a compressed point', bytes(EXAMPLE.p256dh).subarray(0, 33).toString('base64url'), EXAMPLE.auth],
    ['other text', `${EXAMPLE.p256dh}!`, EXAMPLE.auth],
    ['a secret of another length', EXAMPLE.p256dh, EXAMPLE.p256dh],
    ['no secret', EXAMPLE.p256dh, ''],
  ])('is not made for %s', (_what, p256dh, auth) => {
    expect(parsePushKeys(p256dh, auth)).toBeUndefined();
  });
});

describe('the keys of the server (RFC 8292)', () => {
  it('follow from its secret, and sign what a push service can verify', () => {
    const keys = vapidKeysOf('a secret of the server');
    expect(vapidKeysOf('a secret of the server').publicKey).toBe(keys.publicKey);
    expect(vapidKeysOf('another secret').publicKey).not.toBe(keys.publicKey);
    const claims = { audience: 'https://push.test', expiresAt: 1_800_000_000, subject: 'mailto:it@roost.test' };
    const [, token = '', key = ''] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(vapidHeader(keys, claims)) ?? [];
    expect(key).toBe(keys.publicKey);
    const [head = '', body = '', signature = ''] = token.split('.');
    expect(JSON.parse(bytes(head).toString())).toEqual({ typ: 'JWT', alg: 'ES256' });
    expect(JSON.parse(bytes(body).toString())).toEqual({
      aud: claims.audience,
      exp: claims.expiresAt,
      sub: claims.subject,
    });
    const point = bytes(key);
    const jwk = {
      kty: 'EC',
      crv: 'P-256',
      x: point.subarray(1, 33).toString('base64url'),
      y: point.subarray(33).toString('base64url'),
    };
    const publicKey = { key: createPublicKey({ key: jwk, format: 'jwk' }), dsaEncoding: 'ieee-p1363' as const };
    expect(verify('sha256', Buffer.from(`${head}.${body}`), publicKey, bytes(signature))).toBe(true);
    expect(verify('sha256', Buffer.from(`${head}.${body}x`), publicKey, bytes(signature))).toBe(false);
  });
});
