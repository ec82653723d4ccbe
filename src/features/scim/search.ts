import { type Filter, matchesInTurns, parseFilter, termsOf } from './filter/index.ts';
import { badValue, ScimFault } from './fault.ts';
import type { Resource } from './resource.ts';
import type { ScimContext } from './users.ts';

/** Most resources of one page, and the default number. */
const MAX_PAGE = 200;
const USUAL_PAGE = 100;
/** Most resources and members of one page; the rest is on the next. */
const MAX_VALUES = 50_000;
/** Most comparisons with the members of one resource. */
const MAX_COMPARISONS = 500_000;
/** IDs that are read at once. */
const IDS_AT_ONCE = 2_000;
/** Longest list in `attributes` or `excludedAttributes`, in characters. */
const MAX_NAMES = 2_000;
const SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:ListResponse';

/** Some resources of a kind, by ID, and the ID after which to continue; undefined if these were the last. */
export interface Window<T> {
  readonly some: readonly T[];
  readonly next: number | undefined;
}

/** The ID after which to continue; undefined if fewer rows than `most` were found. */
export function lastOf(rows: readonly { readonly id: number }[], most: number): number | undefined {
  return rows.length < most ? undefined : rows.at(-1)?.id;
}

/** A kind of resources, as a search needs it. */
export interface Listing {
  readonly byIds: (scim: ScimContext, ids: readonly number[]) => Promise<readonly Resource[]>;
  /** IDs of the resources with this name, here or in the directory. */
  readonly byName: (scim: ScimContext, name: string) => Promise<readonly number[]>;
  readonly byExternalId: (scim: ScimContext, externalId: string) => Promise<readonly number[]>;
  /** At most `most` resources after an ID. */
  readonly after: (scim: ScimContext, id: number, most: number) => Promise<Window<Resource>>;
  /** The same window with IDs only. */
  readonly idsAfter: (scim: ScimContext, id: number, most: number) => Promise<Window<number>>;
  /** Number of resources that are built at once, before other requests are served. */
  readonly atOnce: number;
  /** Paths of filters that `byName` can look up. */
  readonly names: readonly string[];
}

/** The page of the results that is returned. */
class Page {
  readonly #query: URLSearchParams;
  readonly #filter: Filter | undefined;
  readonly #first: number;
  readonly #count: number;
  readonly shown: Readonly<Record<string, unknown>>[] = [];
  found = 0;
  #values = 0;
  #isFull = false;

  constructor(query: URLSearchParams, filter: Filter | undefined) {
    this.#query = query;
    this.#filter = filter;
    this.#first = Math.max(1, wholeOf('startIndex', query.get('startIndex'), 1));
    this.#count = Math.min(MAX_PAGE, Math.max(0, wholeOf('count', query.get('count'), USUAL_PAGE)));
  }

  get startIndex(): number {
    return this.#first;
  }

  /** The part of all results, in order, that belongs to the page. */
  partOf<T>(all: readonly T[]): readonly T[] {
    return all.slice(this.#first - 1, this.#first - 1 + this.#count);
  }

  /** Adds the next resource if it matches the filter. */
  async add(resource: Resource): Promise<void> {
    if (this.#filter && !(await fits(resource, this.#filter))) return;
    this.found++;
    if (this.found >= this.#first) this.show(resource);
  }

  /** Puts a resource on the page, unless the page is full; a directory then asks for the next page. */
  show(resource: Resource): void {
    this.#isFull ||= this.shown.length >= this.#count;
    if (this.#isFull) return;
    const wanted = chosen(resource, this.#query);
    this.#values += valuesOf(wanted);
    this.#isFull = this.shown.length > 0 && this.#values > MAX_VALUES;
    if (!this.#isFull) this.shown.push(wanted);
  }
}

/**
 * Searches the resources that match a filter (RFC 7644, section 3.4.2), by ID. Resources are read in small windows, for
 * one request at a time, and only as long as the client waits.
 */
export async function search(scim: ScimContext, listing: Listing, query: URLSearchParams) {
  const text = query.get('filter');
  const filter = text === null ? undefined : parseFilter(text);
  const page = new Page(query, filter);
  const named = filter && (await namedBy(scim, listing, filter));
  if (!filter) await inTurn(() => showPart(scim, listing, page));
  else if (named) for await (const one of readAll(scim, listing, named)) await page.add(one);
  else await inTurn(() => lookThrough(scim, listing, page));
  return {
    schemas: [SCHEMA],
    totalResults: page.found,
    startIndex: page.startIndex,
    itemsPerPage: page.shown.length,
    Resources: page.shown,
  };
}

/** Shows a page of all resources: reads all IDs, but only the page's resources. */
async function showPart(scim: ScimContext, listing: Listing, page: Page): Promise<void> {
  const ids: number[] = [];
  for (let after: number | undefined = 0; after !== undefined && scim.isAwaited(); await nextTurn()) {
    const window: Window<number> = await listing.idsAfter(scim, after, IDS_AT_ONCE);
    for (const id of window.some) ids.push(id);
    after = window.next;
  }
  page.found = ids.length;
  for await (const one of readAll(scim, listing, page.partOf(ids))) page.show(one);
}

async function* readAll(
  scim: ScimContext,
  { byIds, atOnce }: Listing,
  ids: readonly number[],
): AsyncGenerator<Resource, void> {
  for (let at = 0; at < ids.length && scim.isAwaited(); at += atOnce) {
    yield* await byIds(scim, ids.slice(at, at + atOnce));
    await nextTurn();
  }
}

async function lookThrough(scim: ScimContext, listing: Listing, page: Page): Promise<void> {
  for (let after: number | undefined = 0; after !== undefined && scim.isAwaited(); await nextTurn()) {
    const window: Window<Resource> = await listing.after(scim, after, listing.atOnce);
    for (const resource of window.some) await page.add(resource);
    after = window.next;
  }
}

/** Whether a resource matches a filter; throws if finding out would take too long. */
function fits(resource: Resource, filter: Filter): Promise<boolean> {
  if (valuesOf(resource) * termsOf(filter) > MAX_COMPARISONS)
    throw new ScimFault(400, 'The filter has too many comparisons for a group as large as there is one.', 'tooMany');
  return matchesInTurns(resource, filter);
}

/** Number of values to compare: the resource itself, and the members of a group. */
function valuesOf({ members }: Readonly<Record<string, unknown>>): number {
  return 1 + (Array.isArray(members) ? members.length : 0);
}

/**
 * Looks up the resources that a filter names by an indexed value; undefined if it must be checked against all
 * resources.
 */
function namedBy(scim: ScimContext, listing: Listing, filter: Filter): Promise<readonly number[]> | undefined {
  const terms = filter.kind === 'and' ? filter.parts : [filter];
  for (const term of terms) {
    if (term.kind !== 'compare' || term.operator !== 'eq' || typeof term.value !== 'string') continue;
    if (term.path === 'id') return Promise.resolve(/^\d{1,15}$/.test(term.value) ? [Number(term.value)] : []);
    if (term.path === 'externalid') return listing.byExternalId(scim, term.value);
    if (listing.names.includes(term.path)) return listing.byName(scim, term.value);
  }
  return undefined;
}

let last: Promise<unknown> = Promise.resolve();

/** Runs one search after the other, so that all directories together take only one share of the process's time. */
function inTurn(look: () => Promise<void>): Promise<void> {
  const looking = last.then(look);
  last = looking.catch(() => undefined);
  return looking;
}

const nextTurn = () => new Promise(setImmediate);

function wholeOf(name: string, text: string | null, usual: number): number {
  if (text === null || text === '') return usual;
  if (!/^-?\d{1,9}$/.test(text)) throw badValue(`${name} must be a whole number.`);
  return Number(text);
}

/** The requested attributes, and those that are always returned (RFC 7644, section 3.9). */
export function chosen(resource: Resource, query: URLSearchParams): Readonly<Record<string, unknown>> {
  const [wanted, unwanted] = [namesIn(query, 'attributes'), namesIn(query, 'excludedAttributes')];
  const always = ['schemas', 'id', 'meta'];
  return Object.fromEntries(
    Object.entries(resource).filter(([key]) => {
      const name = key.toLowerCase();
      return always.includes(name) || (wanted ? wanted.has(name) : !unwanted?.has(name));
    }),
  );
}

function namesIn(query: URLSearchParams, parameter: string): ReadonlySet<string> | undefined {
  const text = query.get(parameter) ?? '';
  if (text.length > MAX_NAMES) throw badValue(`${parameter} is too long.`);
  if (text.trim() === '') return undefined;
  const names = text.split(',').map((name) =>
    name
      .trim()
      .toLowerCase()
      .replace(/^urn:.*:/, ''),
  );
  return new Set(names.map((name) => name.split('.')[0] ?? ''));
}
