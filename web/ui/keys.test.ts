import { expect, it, onTestFinished } from 'vitest';
import { speak } from '../words/index.ts';
import { namesOfKeys } from './keys.ts';

it('names keys as keyboards in the language of the person do', async () => {
  expect(namesOfKeys('Ctrl Shift L')).toEqual(['Ctrl', 'Shift', 'L']);
  await speak('de');
  onTestFinished(() => speak('en'));
  expect(namesOfKeys('Ctrl Shift L')).toEqual(['Strg', 'Umschalt', 'L']);
  expect(['End', 'Delete', '↓'].flatMap(namesOfKeys)).toEqual(['Ende', 'Entf', '↓']);
});
