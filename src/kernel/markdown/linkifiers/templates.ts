import { StdUriTemplate } from '@std-uritemplate/std-uritemplate';
import { cleanAddress } from '../addresses/clean.ts';

const expressions = /\{[+#./;?&]?([^}]*)\}/g;
const modifiers = /(?::\d+|\*)$/;
const expressionOrPercent = /\{[^}]*\}|%(?![0-9A-Fa-f]{2})/g;
const schemeInFront = /^[\p{Cc} ]*[a-zA-Z][\w+.-]*:/u;

/** Whether a text is a URL template of RFC 6570, and makes no addresses that links refuse, such as scripts. */
export function isTemplate(template: string): boolean {
  if (schemeInFront.test(template) && cleanAddress(template) === undefined) return false;
  return expandTemplate(template, {}) !== undefined;
}

/** The names of a valid template's variables, each once, sorted. */
export function templateVariables(template: string): string[] {
  const names = [...template.matchAll(expressions)].flatMap(([, list = '']) => list.split(','));
  return [...new Set(names.map((name) => name.replace(modifiers, '')))].sort();
}

/** Fills in a template; variables without a value are left out. Undefined when the template is not valid. */
export function expandTemplate(template: string, values: Readonly<Record<string, string | null>>): string | undefined {
  const given = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));
  try {
    // RFC 6570, 3.1: what is no escape is encoded; the library leaves it.
    const encoded = template.replace(expressionOrPercent, (found) => (found === '%' ? '%25' : found));
    return StdUriTemplate.expand(encoded, given);
  } catch {
    return undefined;
  }
}

/** A piece of a reverse template: text as it is, or the name of a group. */
type Piece = { readonly literal: string } | { readonly group: string };

/** What is wrong with a reverse template; the messages are the API's (protocol/linkifiers#adding, check 6). */
type ReverseFault = { readonly fault: string };

const pieces = /\{\{|\}\}|\{[^{}]*\}?|\}|[^{}]+/g;

/** Reads a reverse template: `{name}` stands for a group, `{{` and `}}` for braces, a lone `}` for itself. */
export function parseReverse(template: string, groups: readonly string[]): readonly Piece[] | ReverseFault {
  const found: Piece[] = [];
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

/** Fills in a reverse template. */
export function fillReverse(template: readonly Piece[], values: Readonly<Record<string, string | null>>): string {
  return template.map((piece) => ('literal' in piece ? piece.literal : (values[piece.group] ?? ''))).join('');
}
