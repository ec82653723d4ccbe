import { BlockList } from 'node:net';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isIn, isPublicAddress, networks } from './addresses.ts';

const PUBLIC = ['1.1.1.1', '8.8.8.8', '93.184.216.34', '172.15.0.1', '172.32.0.1', '192.0.1.1', '223.255.255.254'];
const PUBLIC_V6 = [
  '2606:4700:4700::1111',
  '2a00:1450:4001:80b::200e',
  '2001:4860::8888',
  '::ffff:8.8.8.8',
  '64:ff9b::808:808',
];
const CLOSED = [
  '0.0.0.0',
  '0.255.0.1',
  '10.0.0.1',
  '10.255.255.255',
  '100.64.0.1',
  '100.127.255.255',
  '127.0.0.1',
  '127.255.0.1',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.8',
  '192.0.2.1',
  '192.168.0.1',
  '198.18.0.1',
  '198.19.255.255',
  '198.51.100.7',
  '203.0.113.7',
  '224.0.0.1',
  '239.255.255.250',
  '240.0.0.1',
  '255.255.255.255',
];
const CLOSED_V6 = [
  '::',
  '::1',
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  '::ffff:a00:1',
  '::127.0.0.1',
  'fe80::1',
  'febf::1',
  'fec0::1',
  'fc00::1',
  'fdff::1',
  'ff02::1',
  '2001::1',
  '2001:db8::1',
  '2002:7f00:1::',
  '2002:808:808::',
  '3fff::1',
  '100::1',
  '64:ff9b::7f00:1',
  '64:ff9b::a9fe:a9fe',
  '64:ff9b:1::808:808',
  '4000::1',
  '::808:808',
  'fe80::1%eth0',
  '0:0:0:0:0:ffff:10.0.0.1',
  '0000:0000:0000:0000:0000:ffff:c0a8:0101',
];

describe('a public address (security#asvs, item 1.3.6)', () => {
  it.each([...PUBLIC, ...PUBLIC_V6])('is %s', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  it.each([...CLOSED, ...CLOSED_V6])('is not %s', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  it.each(['', 'localhost', '127.1', '0x7f.1', '2130706433', '017700000001', '8.8.8.8 ', '[::1]', '8.8.8'])(
    'is not the text %j',
    (text) => {
      expect(isPublicAddress(text)).toBe(false);
    },
  );

  it('is carried by an IPv6 address exactly when it is public itself', () => {
    fc.assert(
      fc.property(fc.ipV4(), (address) => {
        expect(isPublicAddress(`::ffff:${address}`)).toBe(isPublicAddress(address));
        expect(isPublicAddress(`64:ff9b::${address}`)).toBe(isPublicAddress(address));
        expect(isPublicAddress(`::${address}`)).toBe(false);
      }),
    );
  });

  it('is written in any way and stays what it is', () => {
    const groups = fc.array(fc.oneof(fc.constant(0), fc.constant(0xffff), fc.nat({ max: 0xffff })), {
      minLength: 8,
      maxLength: 8,
    });
    fc.assert(
      fc.property(groups, (numbers) => {
        const short = numbers.map((group) => group.toString(16)).join(':');
        const long = numbers.map((group) => group.toString(16).padStart(4, '0').toUpperCase()).join(':');
        expect(isPublicAddress(long)).toBe(isPublicAddress(short));
      }),
    );
  });
});

describe('networks', () => {
  it('hold addresses, however these are carried', () => {
    const list = networks(['10.1.0.0/16', 'fd00::/8', '192.168.1.7']);
    expect(list).toBeInstanceOf(BlockList);
    for (const address of ['10.1.2.3', '::ffff:10.1.2.3', '64:ff9b::a01:203', 'fd12::1', '192.168.1.7']) {
      expect(isIn(list, address)).toBe(true);
    }
    for (const address of ['10.2.0.1', '::ffff:10.2.0.1', 'fe80::1', '192.168.1.8', 'nonsense', '']) {
      expect(isIn(list, address)).toBe(false);
    }
  });

  it.each(['10.1', 'ten/8', '', 'localhost', '10.0.0.0/33'])('are not %j', (text) => {
    expect(() => networks([text])).toThrow();
  });
});
