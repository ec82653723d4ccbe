import { StdUriTemplate } from '@std-uritemplate/std-uritemplate';
import { cleanAddress } from '../addresses/clean.ts';

const expressions = /\{[+#./;?&]?([^}]*)\}/g;
const modifiers = /(?::\d+|\*)$/;
const expressionOrPercent = /\{[^}]*\}|%(?![0-9A-Fa-f]{2})/g;
const schemeInFront = /^[\p{Cc} ]*[a-zA-Z][\w+.-]*:/u;

/** Whether a text is a URL template (RFC 6570) that does not begin with a refused scheme, such as a script's. */
export function isTemplate(template: string): boolean {
  if (schemeInFront.test(template) && cleanAddress(template) === undefined) return false;
  return expandTemplate(template, {}) !== undefined;
}

/** Returns the names of a valid template's variables, without repeats, sorted. */
export function templateVariables(template: string): string[] {
  const names = [...template.matchAll(expressions)].flatMap(([, list = '']) => list.split(','));
  return [...new Set(names.map((name) => name.replace(modifiers, '')))].sort();
}

/** Expands a template; variables without a value are left out. Undefined if the template is invalid. */
export function expandTemplate(template: string, values: Readonly<Record<string, string | null>>): string | undefined {
  const given = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));
  try {
    // RFC 6570, 3.1: a percent sign that begins no escape is encoded, which the library does not do.
    const encoded = template.replace(expressionOrPercent, (found) => (found === '%' ? '%25' : found));
    return StdUriTemplate.expand(encoded, given);
  } catch {
    return undefined;
  }
}

/** A part of a reverse template: literal text or the name of a group. */
type TemplatePart = { readonly literal: string } | { readonly group: string };

/** Why a reverse template is invalid; the messages are the API's (protocol/linkifiers#adding, check 6). */
type ReverseFault = { readonly fault: string };

const pieces = /\{\{|\}\}|\{[^{}]*\}?|\}|[^{}]+/g;

/** Parses a reverse template: `{name}` is a group, `{{` and `}}` are braces, and a lone `}` is itself. */
export function parseReverse(template: string, groups: readonly string[]): readonly TemplatePart[] | ReverseFault {
  const found: TemplatePart[] = [];
  for (const [piece] of template.matchAll(pieces)) {
    if (piece === '{{' || piece === '}}') found.push({ literal: piece.charAt(0) });
    else if (!piece.startsWith('{')) found.push({ literal: piece });
    else if (!piece.endsWith('}')) return { fault: "Invalid auto-conversion field: missing '}' character." };
    else {
      const group = piece.slice(1, -1);
      if (group === '') return { fault: 'Invalid auto-conversion field: empty field name.' };
      if (!groups.includes(group))
        return { fault: `Group '${group}' in auto-conversion field is not present in linkifier pattern.` };
      found.push({ group });
    }
  }
  return found;
}

/** Expands a reverse template. */
export function fillReverse(
  template: readonly TemplatePart[],
  values: Readonly<Record<string, string | null>>,
): string {
  return template.map((piece) => ('literal' in piece ? piece.literal : (values[piece.group] ?? ''))).join('');
}
