import { BLANK, FaultCollector, type FieldErrors, INVALID_TEMPLATE } from './faults.ts';
import { compilePattern, type Pattern } from './pattern.ts';
import { fillReverse, isTemplate, parseReverse, templateVariables } from './templates.ts';

/** A new or changed linkifier; texts are trimmed, and empty optional ones are null. */
export interface ProposedLinkifier {
  readonly pattern: string;
  readonly url_template: string;
  readonly example_input: string | null;
  readonly reverse_template: string | null;
  readonly alternative_url_templates: readonly string[];
}

/** Why a linkifier is refused. A reverse template without an example has an error of its own (check 4). */
export type LinkifierFault =
  | { readonly kind: 'fields'; readonly errors: FieldErrors }
  | { readonly kind: 'example required' };

/**
 * Checks a linkifier in the order of protocol/linkifiers#adding. `isDuplicate` says whether another linkifier of the
 * realm has the same pattern.
 */
export function checkLinkifier(proposed: ProposedLinkifier, isDuplicate: boolean): LinkifierFault | undefined {
  const faults = new FaultCollector();
  for (const field of ['pattern', 'url_template'] as const) if (proposed[field] === '') faults.field(field, BLANK);
  if (!isTemplate(proposed.url_template)) faults.field('url_template', INVALID_TEMPLATE);
  const pattern = compilePattern(proposed.pattern);
  if ('fault' in pattern) faults.all(`Bad regular expression: ${pattern.fault}`);
  else if (proposed.reverse_template !== null && proposed.example_input === null) return { kind: 'example required' };
  else {
    const fault = exampleFault(proposed, pattern) ?? groupFault(proposed.url_template, pattern);
    if (fault !== undefined) faults.all(fault);
    checkAlternatives(proposed.alternative_url_templates, pattern, faults);
  }
  if (isDuplicate) faults.all('Realm filter with this Realm and Pattern already exists.');
  const errors = faults.errors();
  return errors && { kind: 'fields', errors };
}

/** Checks 5 to 7: the example must match, and the reverse template must reproduce it. */
function exampleFault({ example_input, reverse_template }: ProposedLinkifier, pattern: Pattern): string | undefined {
  if (example_input === null) return undefined;
  const values = pattern.search(example_input);
  if (!values) return 'Example input does not match the linkifier pattern.';
  if (reverse_template === null) return undefined;
  const reverse = parseReverse(reverse_template, pattern.groups);
  if ('fault' in reverse) return reverse.fault;
  return fillReverse(reverse, values) === example_input
    ? undefined
    : 'Example text does not match auto-conversion field.';
}

/** Checks 8 and 9: the pattern's groups and the template's variables must be the same. */
function groupFault(template: string, pattern: Pattern): string | undefined {
  if (!isTemplate(template)) return undefined;
  const variables = templateVariables(template);
  const unknown = variables.find((name) => !pattern.groups.includes(name));
  if (unknown !== undefined) return `Group '${unknown}' in URL template is not present in linkifier pattern.`;
  const unused = pattern.groups.find((name) => !variables.includes(name));
  return unused === undefined ? undefined : `Group '${unused}' in linkifier pattern is not present in URL template.`;
}

/** Check 11: the same rules hold for each alternative template. */
function checkAlternatives(templates: readonly string[], pattern: Pattern, faults: FaultCollector): void {
  for (const template of templates) {
    if (!isTemplate(template)) faults.field('alternative_url_templates', INVALID_TEMPLATE);
    const fault = groupFault(template, pattern);
    if (fault !== undefined) faults.all(fault);
  }
}
