import { BlockList, isIP } from 'node:net';

/** Networks inside IPv4 that are not of the public Internet. IANA's registry of special-purpose addresses; RFC 6890. */
const CLOSED_V4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
];
/** All of IPv6 that is given out as public: the rest (loopback, link-local, unique local, multicast …) is closed. */
const GLOBAL_V6 = ['2000::/3'];
/** Networks inside it that are not: protocols and tunnels (Teredo, 6to4 carry IPv4 addresses inside), documentation. */
const CLOSED_V6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];

/** Groups before the IPv4 address in `::ffff:a.b.c.d` (RFC 4291 §2.5.5.2) and `64:ff9b::a.b.c.d` (RFC 6052 §2.1). */
const CARRIERS_OF_V4 = ['0:0:0:0:0:ffff', '64:ff9b:0:0:0:0'];

const closed = networks([...CLOSED_V4, ...CLOSED_V6]);
const global = networks(GLOBAL_V6);

/** A set of networks from texts like `10.0.0.0/8` and `fd00::/8`, or single addresses. Throws for anything else. */
export function networks(texts: readonly string[]): BlockList {
  const list = new BlockList();
  for (const text of texts) {
    const [address = '', bits] = text.split('/');
    if (isIP(address) === 0) throw new Error(`"${text}" is not a network; expected for example 10.0.0.0/8`);
    if (bits === undefined) list.addAddress(address, familyOf(address));
    else list.addSubnet(address, Number(bits), familyOf(address));
  }
  return list;
}

/** Whether an IP address is of the public Internet. Text that is no plain address is not. Security 2, item 1.3.6. */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 4) return !closed.check(address, 'ipv4');
  if (isIP(address) !== 6 || address.includes('%')) return false;
  const carried = carriedV4(address);
  if (carried !== undefined) return isPublicAddress(carried);
  return global.check(address, 'ipv6') && !closed.check(address, 'ipv6');
}

/** Whether an IP address lies in one of `list`, also when an IPv6 address carries it. */
export function isIn(list: BlockList, address: string): boolean {
  const plain = (isIP(address) === 6 && carriedV4(address)) || address;
  return isIP(plain) !== 0 && list.check(plain, familyOf(plain));
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4';
}

function carriedV4(address: string): string | undefined {
  const groups = groupsOf(address);
  if (!CARRIERS_OF_V4.includes(groups.slice(0, 6).join(':'))) return undefined;
  const bytes = groups.slice(6).flatMap((group) => {
    const value = Number.parseInt(group, 16);
    return [value >> 8, value & 255];
  });
  return bytes.join('.');
}

/** The eight groups of an IPv6 address in their shortest form. The URL parser brings every way of writing into one. */
function groupsOf(address: string): string[] {
  const [, canonical = ''] = /^\[(.*)\]$/.exec(new URL(`http://[${address}]`).hostname) ?? [];
  const [before = '', after] = canonical.split('::');
  const left = before === '' ? [] : before.split(':');
  if (after === undefined) return left;
  const right = after === '' ? [] : after.split(':');
  return [...left, ...Array<string>(8 - left.length - right.length).fill('0'), ...right];
}
