import { describe, expect, it } from 'vitest';
import { Messages } from './messages.ts';

const hex = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex');
const part = (tag: number, ...content: readonly Buffer[]): Buffer => {
  const body = Buffer.concat(content);
  const length = body.length < 128 ? [body.length] : [0x82, body.length >> 8, body.length & 255];
  return Buffer.concat([Buffer.from([tag, ...length]), body]);
};
const octets = (text: string) => part(4, Buffer.from(text));
const message = (...operation: readonly Buffer[]) => part(0x30, hex('020102'), ...operation);
const SUCCESS = hex('0a0100 0400 0400');
const attribute = part(0x30, octets('mail'), part(0x31, octets('a@b.test'), octets('c@d.test')));
const ENTRY = message(part(0x64, octets('uid=x'), part(0x30, attribute)));
const DONE = message(part(0x65, SUCCESS), hex('a0 08 30 06 0404 312e322e'));

const taken = (...chunks: readonly Buffer[]) => {
  const messages = new Messages();
  return chunks.flatMap((chunk) => [...messages.take(chunk)].map((one) => one.toString('hex')));
};

describe('what arrives from a directory', () => {
  const all = [ENTRY, message(part(0x73, octets('ldap://b.test'))), message(part(0x61, SUCCESS, part(0x87))), DONE];
  const expected = all.map((one) => one.toString('hex'));

  it('is read message by message, however it is cut', () => {
    const whole = Buffer.concat(all);
    expect(taken(whole)).toEqual(expected);
    expect(taken(...Array.from(whole, (byte) => Buffer.from([byte])))).toEqual(expected);
    const messages = new Messages();
    expect([...messages.take(whole.subarray(0, -1))]).toHaveLength(3);
    expect(messages.hasRest).toBe(true);
    expect([...messages.take(whole.subarray(-1))]).toHaveLength(1);
    expect(messages.hasRest).toBe(false);
  });

  it('takes as long as it is, also where it is thousands of messages at once, or one in thousands of pieces', () => {
    const tiny = message(part(0x73));
    expect(taken(Buffer.concat(Array.from({ length: 9_000 }, () => tiny)))).toHaveLength(9_000);
    const long = message(part(0x73, ...Array.from({ length: 600 }, () => octets('x'.repeat(100)))));
    expect(taken(...Array.from({ length: long.length / 4 + 1 }, (_, at) => long.subarray(4 * at, 4 * at + 4)))).toEqual(
      [long.toString('hex')],
    );
  });

  it.each([
    ['a length beyond the message', message(hex('64 06 04 84 7fffffff'))],
    ['a length that is cut off', message(part(0x64, octets('x'), part(0x30, hex('0484'))))],
    ['an attribute that is a text', message(part(0x64, octets('x'), part(0x30, octets('mail'))))],
    [
      'a value that is no text',
      message(part(0x64, octets('x'), part(0x30, part(0x30, octets('a'), part(0x31, SUCCESS))))),
    ],
    ['an entry without attributes', message(part(0x64, octets('x')))],
    ['a result with a text that goes on', message(hex('61 09 0a0100 0400 0404 7878'))],
    ['a result of four bytes', message(hex('61 0a 0a0400000000 0400 0400'))],
    ['a length without an end', hex('3080 0000')],
    ['a length of eight bytes', hex('3088 ffffffffffffffff')],
    ['another kind of message', message(part(0x63, octets('x')))],
    ['no message', Buffer.from('HTTP/1.1 200 OK\r\n\r\n')],
    ['no number', part(0x30, octets('2'), part(0x61, SUCCESS))],
    ['controls that are none', message(part(0x61, SUCCESS), part(0xa0, octets('1.2.')))],
  ])('is refused for %s', (_what, bytes) => {
    expect(() => taken(bytes, Buffer.alloc(100_000))).toThrow();
  });
});
