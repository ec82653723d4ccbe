/** The polynomial of CRC-32, reflected. RFC 1952 section 8. */
const POLYNOMIAL = 0xedb88320;
const BITS = 32;

/** A polynomial over GF(2) of a degree below 32, reflected: the highest bit stands for 1. */
export type Polynomial = number;

/** 1 and x to the eighth. */
const ONE: Polynomial = 0x80000000;
const BYTE: Polynomial = 0x00800000;

/**
 * The CRC-32 of two byte strings one after the other, from their own checksums and what the length of the second one
 * multiplies by (`appending`).
 */
export function combineCrc32(first: number, second: number, factor: Polynomial): number {
  return (product(factor, first) ^ second) >>> 0;
}

/**
 * What a checksum is multiplied by, modulo the polynomial of CRC-32, when so many zero bytes are appended: x to the
 * eighth for each. By repeated squaring, in time logarithmic in the length.
 */
export function appending(length: number): Polynomial {
  let factor = ONE;
  for (let rest = length, bit = 0; rest > 0; rest = Math.floor(rest / 2), bit++)
    if (rest % 2 === 1) factor = product(factor, squared(bit));
  return factor;
}

const squares = [BYTE];

/** What two to the power of `bit` zero bytes multiply by. */
function squared(bit: number): Polynomial {
  for (let last = squares.at(-1) ?? BYTE; squares.length <= bit; squares.push(last)) last = product(last, last);
  return squares[bit] ?? ONE;
}

/** The product modulo the polynomial of CRC-32; without a branch in the loop, which runs thousands of times a reply. */
function product(a: Polynomial, b: Polynomial): Polynomial {
  let sum = 0;
  let left = a;
  let right = b;
  for (let i = 0; i < BITS; i++) {
    sum ^= right & -(left >>> 31);
    left <<= 1;
    right = (right >>> 1) ^ (POLYNOMIAL & -(right & 1));
  }
  return sum;
}
