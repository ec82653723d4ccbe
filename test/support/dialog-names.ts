import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { english } from '../../web/words/english/index.ts';
import { deferredEnglish } from '../../web/words/english/deferred.ts';

const ROOT = join(import.meta.dirname, '../../web');
/** Matches what opens over the page with its name: a dialog's title, a popover's or menu's label. */
const OPENED = /<(?:\w*Dialog|Popover|Menu)\b[^>]*?\b(?:title|label)=(\{(?:[^{}]|\{[^{}]*\})*\})/g;
/** Matches the key of a text, also where there are two. */
const KEY = /'([\w]+\.[\w.]+)'/g;

/** The name of something that opens over the page: the key of its text, and a pattern of that name. */
export interface DialogName {
  readonly key: string;
  readonly looks: RegExp;
}

/** Lists the names of all dialogs, popovers and menus in the sources of the client. */
export function dialogNames(): readonly DialogName[] {
  const files = ['views', 'compose', 'settings', 'app'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.tsx'))
      .map((file) => join(ROOT, folder, file)),
  );
  const keys = files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(OPENED)].flatMap(([, name = '']) =>
      [...name.matchAll(KEY)].flatMap(([, key]) => key ?? []),
    ),
  );
  return [...new Set(keys)].map((key) => ({ key, looks: looksOf(key) }));
}

const TEXTS: Readonly<Record<string, string | { readonly one: string; readonly other: string }>> = {
  ...english,
  ...deferredEnglish,
};

/** Returns a pattern of a text, with any words for its values. */
function looksOf(key: string): RegExp {
  const text = TEXTS[key];
  if (text === undefined) throw new Error(`no text has the key ${key}`);
  const forms = typeof text === 'string' ? [text] : [text.one, text.other];
  const escaped = forms.map((form) => form.replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&').replaceAll(/\{\w+\}/g, '.+'));
  return new RegExp(`^(?:${escaped.join('|')})$`, 's');
}
