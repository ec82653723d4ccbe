import { expect, it } from 'vitest';
import { fileSize } from './uploads-page.tsx';

it.each([
  [0, '0 bytes'],
  [1, '1 byte'],
  [1023, '1,023 bytes'],
  [1024, '1 kB'],
  [1536, '1.5 kB'],
  [25 * 2 ** 20, '25 MB'],
  [3.25 * 2 ** 30, '3.3 GB'],
  [5000 * 2 ** 40, '5,000 TB'],
])('a file of %d bytes is said to have %s', (bytes, said) => {
  expect(fileSize(bytes)).toBe(said);
});
