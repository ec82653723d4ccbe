import { type Filter, matches, parseFilter } from './filter/index.ts';
import { badValue } from './fault.ts';
import type { Resource } from './resource.ts';
import type { Place } from './users.ts';

/** Most resources of one page, and how many there are where nothing is said. */
const MAX_PAGE = 200;
const USUAL_PAGE = 100;
const SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:ListResponse';

/** A kind of resources, as it is looked through. */
export interface Listing {
  readonly byId: (place: Place, id: number) => Promise<readonly Resource[]>;
  readonly byName: (place: Place, name: string) => Promise<readonly Resource[]>;
  readonly byExternalId: (place: Place, externalId: string) => Promise<readonly Resource[]>;
  readonly all: (place: Place) => Promise<readonly Resource[]>;
  /** Paths that `byName` finds by. */
  readonly names: readonly string[];
}

/** A page of the resources that fit a filter (RFC 7644, section 3.4.2), by ID. */
export async function search(place: Place, listing: Listing, query: URLSearchParams) {
  const text = query.get('filter');
  const filter = text === null ? undefined : parseFilter(text);
  const startIndex = Math.max(1, wholeOf('startIndex', query.get('startIndex'), 1));
  const count = Math.min(MAX_PAGE, Math.max(0, wholeOf('count', query.get('count'), USUAL_PAGE)));
  const candidates = await candidatesOf(place, listing, filter);
  const found = filter ? candidates.filter((resource) => matches(resource, filter)) : candidates;
  const shown = found.slice(startIndex - 1, startIndex - 1 + count);
  return {
    schemas: [SCHEMA],
    totalResults: found.length,
    startIndex,
    itemsPerPage: shown.length,
    Resources: shown.map((resource) => chosen(resource, query)),
  };
}

/** A filter that names one resource needs no look at all the others. */
function candidatesOf(place: Place, listing: Listing, filter: Filter | undefined): Promise<readonly Resource[]> {
  const terms = filter?.kind === 'and' ? filter.parts : filter ? [filter] : [];
  for (const term of terms) {
    if (term.kind !== 'compare' || term.operator !== 'eq' || typeof term.value !== 'string') continue;
    if (term.path === 'id') return /^\d{1,15}$/.test(term.value) ? listing.byId(place, Number(term.value)) : none;
    if (term.path === 'externalid') return listing.byExternalId(place, term.value);
    if (listing.names.includes(term.path)) return listing.byName(place, term.value);
  }
  return listing.all(place);
}

const none: Promise<readonly Resource[]> = Promise.resolve([]);

function wholeOf(name: string, text: string | null, usual: number): number {
  if (text === null || text === '') return usual;
  if (!/^-?\d{1,9}$/.test(text)) throw badValue(`${name} must be a whole number.`);
  return Number(text);
}

/** The attributes that are wanted, with those that are always there (RFC 7644, section 3.9). */
export function chosen(resource: Resource, query: URLSearchParams): Readonly<Record<string, unknown>> {
  const [wanted, unwanted] = [namesIn(query.get('attributes')), namesIn(query.get('excludedAttributes'))];
  const always = ['schemas', 'id', 'meta'];
  return Object.fromEntries(
    Object.entries(resource).filter(([key]) => {
      const name = key.toLowerCase();
      return always.includes(name) || (wanted ? wanted.has(name) : !unwanted?.has(name));
    }),
  );
}

function namesIn(text: string | null): ReadonlySet<string> | undefined {
  if (text === null || text.trim() === '') return undefined;
  const names = text
    .slice(0, 2_000)
    .split(',')
    .map((name) =>
      name
        .trim()
        .toLowerCase()
        .replace(/^urn:.*:/, ''),
    );
  return new Set(names.map((name) => name.split('.')[0] ?? ''));
}
