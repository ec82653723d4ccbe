/** The polynomial of CRC-32, reflected. RFC 1952 section 8. */
const POLYNOMIAL = 0xedb88320;
const BITS = 32;

/** A polynomial over GF(2) of a degree below 32, reflected: the highest bit stands for 1. */
type Polynomial = number;

/** 1 and x to the eighth, which is what one more byte multiplies by. */
const ONE: Polynomial = 0x80000000;
const BYTE: Polynomial = 0x00800000;

/**
 * The CRC-32 of two byte strings one after the other, from their own checksums and the length of the second: appending a
 * zero byte multiplies a checksum by x to the eighth, modulo the polynomial of CRC-32.
 */
export function combineCrc32(first: number, second: number, secondLength: number): number {
  return (product(appending(secondLength), first) ^ second) >>> 0;
}

/** Most lengths that are remembered: the same pieces are joined over and over. */
const MAX_REMEMBERED = 10_000;
const remembered = new Map<number, Polynomial>();

/** What appending so many zero bytes multiplies by; by repeated squaring, in time logarithmic in the length. */
function appending(length: number): Polynomial {
  const known = remembered.get(length);
  if (known !== undefined) return known;
  let factor = ONE;
  let power = BYTE;
  for (let rest = length; rest > 0; rest = Math.floor(rest / 2)) {
    if (rest % 2 === 1) factor = product(factor, power);
    power = product(power, power);
  }
  if (remembered.size >= MAX_REMEMBERED) remembered.clear();
  remembered.set(length, factor);
  return factor;
}

/** The product modulo the polynomial of CRC-32; without a branch in the loop, which runs thousands of times a reply. */
function product(a: Polynomial, b: Polynomial): Polynomial {
  let sum = 0;
  let [left, right] = [a, b];
  for (let i = 0; i < BITS; i++) {
    sum ^= right & -(left >>> 31);
    left <<= 1;
    right = (right >>> 1) ^ (POLYNOMIAL & -(right & 1));
  }
  return sum;
}
