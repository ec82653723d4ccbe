import { allParts, type AnyEndpoint, type Endpoints, type Page } from '#kernel/endpoint';
import { type Match, Router } from './router.ts';

/** Prefixes of the API; the second one is for browsers with a session. */
const PREFIXES = ['/api/v1', '/json'] as const;
/** First path segments of files. */
const FILES: ReadonlySet<string> = new Set([
  'assets',
  'avatar',
  'external_content',
  'static',
  'thumbnail',
  'user_avatars',
  'user_uploads',
  'web',
]);

/** What serves a path. */
export interface Route {
  readonly page: Match<Page> | undefined;
  readonly operations: Match<AnyEndpoint> | undefined;
  /** Whether the path may be an operation's; then a page there answers only its own methods. */
  readonly isBelowApi: boolean;
  /** Whether the API answers if no page does. */
  readonly isApi: boolean;
  /** Whether it is a file's path; for these, programs send Accept headers with HTML, too. */
  readonly isFile: boolean;
}

/** Finds what serves a path. See protocol/wire#routes. */
export class Routes {
  readonly #api = new Router<AnyEndpoint>();
  readonly #pages = new Router<Page>();
  /** Cached routes without parameters; most requests are for a few of them. */
  readonly #known = new Map<string, Route>();

  constructor(endpoints: Endpoints, pages: readonly Page[]) {
    for (const endpoint of endpoints)
      this.#api.add(endpoint.method, endpoint.path, endpoint, (name) => endpoint.params[name]?.encoding === 'path');
    for (const page of pages) {
      for (const method of page.methods) this.#pages.add(method, page.path, page, () => false);
    }
  }

  find(path: string): Route {
    const known = this.#known.get(path);
    if (known) return known;
    const parts = safeParts(path);
    const route = this.#look(path, parts);
    if (parts && hasNoParameters(route) && path === `/${parts.join('/')}`) this.#known.set(path, route);
    return route;
  }

  #look(path: string, parts: readonly string[] | undefined): Route {
    const prefix = PREFIXES.find((candidate) => path === candidate || path.startsWith(`${candidate}/`));
    return {
      page: parts && this.#pages.find(parts),
      operations: prefix && parts && this.#api.find(parts.slice(allParts(prefix).length)),
      isBelowApi: prefix !== undefined,
      isApi: prefix !== undefined || path === '/' || path.startsWith('/api'),
      isFile: FILES.has(path.split('/', 2)[1] ?? ''),
    };
  }
}

function hasNoParameters({ page, operations }: Route): boolean {
  const matches = [page, operations].filter((match) => match !== undefined);
  return matches.length > 0 && matches.every(({ path }) => Object.keys(path).length === 0);
}

function safeParts(path: string): readonly string[] | undefined {
  try {
    return allParts(path).map((part) => decodeURIComponent(part));
  } catch {
    return undefined;
  }
}
