import { expect, it } from 'vitest';
import { compareNames } from './names.ts';

it('names are sorted as people count, whatever their case', () => {
  const names = ['nest 10', 'Nest 1', 'ärger', 'zoo', 'nest 2'];
  expect(names.toSorted(compareNames)).toEqual(['ärger', 'Nest 1', 'nest 2', 'nest 10', 'zoo']);
});
