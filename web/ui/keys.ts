import { t } from '../words/index.ts';

const NAMED = new Map<string, 'keys.ctrl' | 'keys.shift' | 'keys.delete' | 'keys.end'>([
  ['Ctrl', 'keys.ctrl'],
  ['Shift', 'keys.shift'],
  ['Delete', 'keys.delete'],
  ['End', 'keys.end'],
]);

/** The keys of a shortcut such as "Ctrl K", each as keyboards in the person's language name it. */
export function namesOfKeys(keys: string): readonly string[] {
  return keys.split(' ').map((key) => {
    const text = NAMED.get(key);
    return text ? t(text) : key;
  });
}
