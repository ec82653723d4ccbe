import { language } from './language.ts';

/** Returns an error message of the server in the language of the page, whose texts are loaded with the first of them. */
export function inPageLanguage(message: string): string | Promise<string> {
  if (language() === 'en') return message;
  return import('./german/german-refusals.ts').then(({ inGerman }) => inGerman(message)).catch(() => message);
}
