import { BLANK, FaultCollector, type FieldErrors, INVALID_TEMPLATE } from './faults.ts';
import { isTemplate, templateVariables } from './templates.ts';

/** A new or changed code playground; texts are trimmed. */
export interface ProposedPlayground {
  readonly name: string;
  readonly url_template: string;
}

/**
 * Letters, digits, spaces and `_ + - . / #`, of which names of languages consist (protocol/linkifiers#playgrounds,
 * check 3).
 */
const language = /^[A-Za-z0-9 _+\-./#]*$/;

/** Whether a text can be the name of a language; the highlighter need not know it. */
export function mayNameLanguage(name: string): boolean {
  return language.test(name);
}

/**
 * Checks a playground in the order of protocol/linkifiers#playgrounds, checks 4 to 8. `isDuplicate` says whether
 * another playground of the realm has the same language and name.
 */
export function checkPlayground(proposed: ProposedPlayground, isDuplicate: boolean): FieldErrors | undefined {
  const faults = new FaultCollector();
  for (const field of ['name', 'url_template'] as const) if (proposed[field] === '') faults.field(field, BLANK);
  const { url_template } = proposed;
  // An address that begins with the code could be a script.
  if (!isTemplate(url_template) || url_template.startsWith('{')) faults.field('url_template', INVALID_TEMPLATE);
  else {
    const variables = templateVariables(url_template);
    if (!variables.includes('code')) faults.all('Missing the required variable "code" in the URL template');
    else if (variables.length > 1) faults.all('"code" should be the only variable present in the URL template');
  }
  if (isDuplicate) faults.all('Realm playground with this Realm, Pygments language and Name already exists.');
  return faults.errors();
}
