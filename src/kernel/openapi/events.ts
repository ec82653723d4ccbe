import type { AnyEventType } from '#kernel/events';
import { type Field, formsOf } from './fields.ts';
import { Schemas } from './schemas.ts';
import { EVENT_WORDS } from './vocabulary/events.ts';

/** What the documentation says about a kind of event. */
export interface DescribedEvent {
  readonly kind: string;
  readonly source: string;
  readonly doc: string;
  /** Who receives it. */
  readonly to: string;
  /** Members of each of its forms, without `type` and `id`. */
  readonly forms: readonly (readonly Field[])[];
}

/** The events that clients get, in the order of their names. */
export function describedEvents(types: readonly AnyEventType[]): readonly DescribedEvent[] {
  return types
    .filter(({ wireSchema }) => wireSchema !== undefined)
    .toSorted((a, b) => (a.kind < b.kind ? -1 : 1))
    .map((type) => {
      const [doc, to] = type.words ?? EVENT_WORDS[type.kind] ?? ['', ''];
      return { kind: type.kind, source: type.source, doc, to, forms: wireForms(type) };
    });
}

function wireForms({ wireSchema }: AnyEventType): readonly (readonly Field[])[] {
  if (!wireSchema) return [];
  const schemas = new Schemas();
  const forms = formsOf(schemas.of(wireSchema), (name) => schemas.find(name));
  return forms.map((form) => form.filter(({ name }) => name !== 'type' && name !== 'id'));
}

/** The text of docs/events.md. */
export function eventsPage(types: readonly AnyEventType[]): string {
  const sections = describedEvents(types).map(({ kind, source, doc, to, forms }) =>
    [
      `## ${kind}`,
      doc,
      `Received by ${to}. Source: ${source.replace(/(protocol\/[\w-]+)((?:#[\w-]+)?)/g, '[$1$2]($1.md$2)')}.`,
      ...forms.flatMap((form) => (form.length === 0 ? [] : [table(form)])),
    ].join('\n\n'),
  );
  return [
    '# Events',
    'Made by `npm run docs` from the declarations of the events; not edited by hand. Clients get them from `GET /events` of a\nqueue that `POST /register` made. Each has `type`, `id` (growing within the queue) and what is listed here. A heading is\n`type`, or `type/op`. An event with several tables has one of these forms, depending on what the client asked for.',
    `${sections.length} kinds of events.`,
    ...sections,
  ]
    .join('\n\n')
    .concat('\n');
}

function table(form: readonly Field[]): string {
  const rows = form.map(
    ({ name, kind, isOptional }) =>
      `| \`${name}\` | ${kind.replaceAll('|', '\\|')}${isOptional ? ', or absent' : ''} |`,
  );
  return ['| member | kind |', '|---|---|', ...rows].join('\n');
}
