/** The polynomial of CRC-32, reflected. RFC 1952 section 8. */
const POLYNOMIAL = 0xedb88320;
const BITS = 32;

/** A polynomial over GF(2) of a degree below 32, reflected: the highest bit stands for 1. */
export type Polynomial = number;

/** The polynomials 1 and x to the eighth; the latter is the factor of one appended zero byte. */
const ONE: Polynomial = 0x80000000;
const BYTE: Polynomial = 0x00800000;

/**
 * Returns the CRC-32 of two joined byte strings, from their checksums and the factor of the second one's length
 * (`appending`).
 */
export function combineCrc32(first: number, second: number, factor: Polynomial): number {
  return (product(factor, first) ^ second) >>> 0;
}

/**
 * Returns the factor by which `length` appended zero bytes multiply a checksum, modulo the polynomial of CRC-32: x to
 * the eighth for each byte. Repeated squaring takes time logarithmic in the length.
 */
export function appending(length: number): Polynomial {
  let factor = ONE;
  for (let rest = length, bit = 0; rest > 0; rest = Math.floor(rest / 2), bit++)
    if (rest % 2 === 1) factor = product(factor, squared(bit));
  return factor;
}

/** Appending so many zero bytes multiplies a checksum by 1, so the factors of longer runs repeat. */
const PERIOD = 2 ** 32 - 1;

/** Returns the factor that undoes `appending(length)`; at most `PERIOD` bytes. */
export function undoing(length: number): Polynomial {
  return appending(PERIOD - length);
}

const squares = [BYTE];

/** Returns the factor of two to the power of `bit` appended zero bytes. */
function squared(bit: number): Polynomial {
  for (let last = squares.at(-1) ?? BYTE; squares.length <= bit; squares.push(last)) last = product(last, last);
  return squares[bit] ?? ONE;
}

/**
 * Returns the product modulo the polynomial of CRC-32. The loop has no branch, because it runs thousands of times a
 * reply.
 */
export function product(a: Polynomial, b: Polynomial): Polynomial {
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
