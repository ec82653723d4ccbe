import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  KEY_BYTES,
  lockBox,
  lockOwn,
  makeKeyPair,
  parseBase64,
  parsePushKey,
  sealBox,
  unlockBox,
  unlockOwn,
  unsealBox,
} from './index.ts';

/** The example of the authors of NaCl: its key, nonce, text and box. */
const NACL = {
  key: '1b27556473e985d462cd51197a9a46c76009549eac6474f206c4ee0844f68389',
  nonce: '69696ee955b62b73cd62bda875fc73d68219e0036b7a0b37',
  plain:
    'be075fc53c81f2d5cf141316ebeb0c7b5228c52a4c62cbd44b66849b64244ffce5ecbaaf33bd751a1ac728d45e6c61296cdc3c01233561f41d' +
    'b66cce314adb310e3be8250c46f06dceea3a7fa1348057e2f6556ad6b1318a024a838f21af1fde048977eb48f59ffd4924ca1c60902e52f0a0' +
    '89bc76897040e082f937763848645e0705',
  box:
    'f3ffc7703f9400e52a7dfb4b3d3305d98e993b9f48681273c29650ba32fc76ce48332ea7164d96a4476fb8c531a1186ac0dfc17c98dce87b4d' +
    'a7f011ec48c97271d2c20f9b928fe2270d6fb863d51738b48eeee314a7cc8ab932164548e526ae90224368517acfeabd6bb3732bc0e9da9983' +
    '2b61ca01b6de56244a9e88d5f9b37973f622a43d14a6599b1f654cb45a74e355a5',
};

const hex = (text: string): Uint8Array => Buffer.from(text, 'hex');

describe('a secret box (protocol/push#registering)', () => {
  it('is XSalsa20 with Poly1305, after its nonce', async () => {
    const opened = await unlockBox(hex(NACL.key), hex(NACL.nonce + NACL.box));
    expect(Buffer.from(opened ?? []).toString('hex')).toBe(NACL.plain);
  });

  it('opens with its key, whatever is inside, and is 40 bytes longer', async () => {
    const key = fc.uint8Array({ minLength: KEY_BYTES, maxLength: KEY_BYTES });
    await fc.assert(
      fc.asyncProperty(key, fc.uint8Array({ maxLength: 5_000 }), async (secret, plain) => {
        const box = await lockBox(secret, plain);
        expect(box).toHaveLength(plain.length + 40);
        expect(Buffer.from((await unlockBox(secret, box)) ?? 'closed')).toEqual(Buffer.from(plain));
      }),
    );
  });

  it('is another one each time', async () => {
    const key = randomBytes(KEY_BYTES);
    expect(await lockBox(key, Buffer.from('same'))).not.toEqual(await lockBox(key, Buffer.from('same')));
  });

  it('stays closed with another key, or when any byte was changed, or when it is too short', async () => {
    const key = randomBytes(KEY_BYTES);
    const box = Buffer.from(await lockBox(key, Buffer.from('secret')));
    expect(await unlockBox(randomBytes(KEY_BYTES), box)).toBeUndefined();
    for (let at = 0; at < box.length; at++) {
      const changed = Buffer.from(box);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(await unlockBox(key, changed)).toBeUndefined();
      expect(await unlockBox(key, box.subarray(0, at))).toBeUndefined();
    }
  });

  it('is not made with a key of another length', async () => {
    await expect(lockBox(randomBytes(31), Buffer.from('x'))).rejects.toThrow();
  });
});

describe("a box of the server's own", () => {
  it('opens with its key alone, unchanged alone, and is another one each time', () => {
    const [key, other] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
    for (const plain of [Buffer.alloc(0), Buffer.from('what is inside')]) {
      const box = Buffer.from(lockOwn(key, plain));
      expect(box).toHaveLength(plain.length + 28);
      expect(unlockOwn(key, box)).toEqual(plain);
      expect(Buffer.from(lockOwn(key, plain))).not.toEqual(box);
      expect(unlockOwn(other, box)).toBeUndefined();
      for (let at = 0; at < box.length; at++) {
        const changed = Buffer.from(box);
        changed.writeUInt8((changed.readUInt8(at) + 1) % 256, at);
        expect(unlockOwn(key, changed)).toBeUndefined();
        expect(unlockOwn(key, box.subarray(0, at))).toBeUndefined();
      }
    }
  });
});

describe('a sealed box', () => {
  it('opens for the holder of the private key and nobody else', async () => {
    const [mine, other] = await Promise.all([makeKeyPair(), makeKeyPair()]);
    const box = await sealBox(mine.publicKey, Buffer.from('{"token":"abc"}'));
    expect(Buffer.from((await unsealBox(mine, box)) ?? []).toString()).toBe('{"token":"abc"}');
    expect(await unsealBox(other, box)).toBeUndefined();
    expect(await unsealBox(mine, box.subarray(1))).toBeUndefined();
    expect(await unsealBox(mine, new Uint8Array())).toBeUndefined();
  });
});

describe('a push key (protocol/push#registering, check 9)', () => {
  const key = randomBytes(KEY_BYTES);
  const text = Buffer.concat([Buffer.from([0x31]), key]).toString('base64');

  it('is the byte 0x31 and a key for a secret box, in Base64', async () => {
    expect(parsePushKey(text)).toEqual(key);
    const box = await lockBox(parsePushKey(text) ?? new Uint8Array(), Buffer.from('hello'));
    expect(Buffer.from((await unlockBox(key, box)) ?? []).toString()).toBe('hello');
  });

  it.each([
    ['empty', ''],
    ['of another kind', Buffer.concat([Buffer.from([0x32]), key]).toString('base64')],
    ['without a kind', key.toString('base64')],
    ['too short', Buffer.concat([Buffer.from([0x31]), key.subarray(1)]).toString('base64')],
    ['too long', Buffer.concat([Buffer.from([0x31]), key, Buffer.from([0])]).toString('base64')],
    ['in hexadecimal', `31${key.toString('hex')}`],
    ['with a line break', `${text}\n`],
    ['with a space', ` ${text}`],
    ['in the alphabet of URLs', `${text.slice(0, -2)}-_`],
    ['with padding it does not need', `${text}====`],
  ])('is malformed when %s', (_what, malformed) => {
    expect(parsePushKey(malformed)).toBeUndefined();
  });
});

describe('strict Base64 (protocol/push#registering, check 8)', () => {
  it('gives back what was written', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        expect(parseBase64(Buffer.from(bytes).toString('base64'))).toEqual(Buffer.from(bytes));
      }),
    );
  });

  it.each(['a', 'ab', 'abc', 'ab=', 'abc==', 'ab==cd==', 'abcd=', '====', 'ab-_', 'ab cd', 'abcd\n', 'äbcd'])(
    'is not %j',
    (text) => {
      expect(parseBase64(text)).toBeUndefined();
    },
  );
});
