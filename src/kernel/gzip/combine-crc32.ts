/** The polynomial of CRC-32, reflected. RFC 1952 section 8. */
const POLYNOMIAL = 0xedb88320;
const BITS = 32;

/** A linear map on 32-bit vectors over GF(2): the image of each unit vector. */
type Matrix = Uint32Array;

/**
 * The CRC-32 of two byte strings one after the other, from their own checksums and the length of the second. Appending
 * zero bytes is a linear map on the checksum; it is applied by repeated squaring, in time logarithmic in the length.
 */
export function combineCrc32(first: number, second: number, secondLength: number): number {
  return (apply(appending(secondLength), first >>> 0) ^ second) >>> 0;
}

/** Most lengths whose map is remembered, 128 bytes each: the same pieces are joined over and over. */
const MAX_REMEMBERED = 10_000;
const remembered = new Map<number, Matrix>();

/** What appending so many zero bytes does. */
function appending(length: number): Matrix {
  const known = remembered.get(length);
  if (known) return known;
  let map: Matrix | undefined;
  let power = zeroByte();
  for (let rest = length; rest > 0; rest = Math.floor(rest / 2)) {
    if (rest % 2 === 1) map = map ? product(power, map) : power;
    power = square(power);
  }
  map ??= identity();
  if (remembered.size >= MAX_REMEMBERED) remembered.clear();
  remembered.set(length, map);
  return map;
}

function identity(): Matrix {
  return new Uint32Array(BITS).map((_, bit) => (1 << bit) >>> 0);
}

/** What appending eight zero bits does. */
function zeroByte(): Matrix {
  const bit = new Uint32Array(BITS);
  bit[0] = POLYNOMIAL;
  for (let i = 1; i < BITS; i++) bit[i] = (1 << (i - 1)) >>> 0;
  return square(square(square(bit)));
}

function apply(matrix: Matrix, vector: number): number {
  let sum = 0;
  for (let i = 0, rest = vector; rest !== 0; i++, rest >>>= 1) if (rest & 1) sum ^= matrix[i] ?? 0;
  return sum >>> 0;
}

/** First `inner`, then `outer`. */
function product(outer: Matrix, inner: Matrix): Matrix {
  return inner.map((column) => apply(outer, column));
}

function square(matrix: Matrix): Matrix {
  return product(matrix, matrix);
}
