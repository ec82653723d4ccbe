import { t } from '../words/index.ts';

const NAMED = new Map([
  ['Ctrl', 'keys.ctrl'],
  ['Shift', 'keys.shift'],
  ['Delete', 'keys.delete'],
  ['End', 'keys.end'],
] as const);

/** The keys of a shortcut such as "Ctrl K", each as keyboards in the person's language name it. */
export function namesOfKeys(keys: string): readonly string[] {
  const names = new Map<string, string>([...NAMED].map(([key, text]) => [key, t(text)]));
  return keys.split(' ').map((key) => names.get(key) ?? key);
}
