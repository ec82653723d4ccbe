/** A piece of a reverse template: text as it is, or the name of a group. */
type Piece = { readonly literal: string } | { readonly group: string };

/** What is wrong with a reverse template; the messages are the API's (protocol/linkifiers#adding, check 6). */
export type ReverseFault = { readonly fault: string };

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
