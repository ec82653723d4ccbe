import { causeOfRequest, withCause } from '#kernel/audit';
import {
  decodeInTurns,
  hasRealm,
  namesTag,
  nextTurn,
  page,
  type PageResponse,
  parseBounded,
  type RealmRequest,
} from '#kernel/endpoint';
import { ApiError } from '#kernel/errors';
import { isObject } from '#kernel/text';
import { resourceTypes, schemas, serviceProviderConfig } from './discovery.ts';
import { badSyntax, faultOf, noSuch, ScimFault, toWireFault } from './fault.ts';
import { createGroup, deleteGroup, groups, patchGroup, replaceGroup } from './groups.ts';
import { stepsOf } from './patch.ts';
import { type Resource, writeInTurns } from './resource.ts';
import { chosen, type Listing, search } from './search.ts';
import { admit } from './tokens.ts';
import { createUser, deleteUser, patchUser, replaceUser, type ScimContext, users } from './users.ts';

/**
 * Largest body in bytes: it has room for the members of the largest group, and parsing it takes the event loop some 30
 * ms.
 */
const MAX_BYTES = 4 * 2 ** 20;
const BASE = '/scim/v2';
const TYPE = 'application/scim+json; charset=utf-8';
const LIST = 'urn:ietf:params:scim:api:messages:2.0:ListResponse';

interface Asked extends ScimContext {
  readonly request: RealmRequest;
  readonly method: string;
}

/** Declares a page of the interface: it checks the token first, and answers errors in SCIM's form. */
function scimPage(path: string, methods: readonly string[], run: (asked: Asked) => Promise<PageResponse>) {
  return page({
    methods,
    path: BASE + path,
    handle: async (request) => {
      try {
        if (!hasRealm(request)) throw noSuch();
        const { realm, context, headers, raw } = request;
        const { name } = await admit(request);
        const base = realm.url + BASE;
        const method = raw.request.method ?? 'GET';
        // The audit log names the token, because its holder is unknown here.
        const cause = causeOfRequest(null, `scim: ${name}`, request.address, headers['user-agent']);
        const acting = withCause(context, { ...cause, kind: 'server' });
        const isAwaited = () => !raw.response.destroyed;
        const ifMatch = headers['if-match'];
        return await run({ request, context: acting, realm, base, method, ifMatch, isAwaited });
      } catch (error) {
        const fault = error instanceof ApiError ? faultOf(error) : error;
        if (!(fault instanceof ScimFault)) throw error;
        const challenge = fault.status === 401 && { 'www-authenticate': 'Bearer realm="scim"' };
        return reply(fault.status, toWireFault(fault), challenge || {});
      }
    },
  });
}

function reply(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): PageResponse {
  return {
    status,
    headers: { 'content-type': TYPE, 'cache-control': 'no-store', ...headers },
    body: JSON.stringify(body),
  };
}

/** As `reply`, for what may have thousands of members. */
async function written(
  status: number,
  body: Readonly<Record<string, unknown>>,
  headers: Readonly<Record<string, string>> = {},
): Promise<PageResponse> {
  return { ...reply(status, {}, headers), body: await writeInTurns(body) };
}

function show(status: number, resource: Resource, { request }: Asked): Promise<PageResponse> {
  const { version, location } = resource.meta;
  return written(status, chosen(resource, request.url.searchParams), { etag: version, location });
}

/** The JSON object of a body; throws `invalidSyntax`, and 401 if the token was revoked while the body arrived. */
async function bodyOf({ request }: Asked): Promise<Readonly<Record<string, unknown>>> {
  const bytes = await request.content(() => admit(request));
  if (bytes.length > MAX_BYTES) throw new ScimFault(413, `A body has at most ${MAX_BYTES} bytes.`);
  const body = parseBounded(await decodeInTurns(bytes));
  if (!body) throw badSyntax('The body is no JSON, or has too many values.');
  if (!isObject(body.value)) throw badSyntax('The body must be an object.');
  // What a body asks for does not begin in the turn in which it was parsed.
  await nextTurn();
  return body.value;
}

type Body = Readonly<Record<string, unknown>>;

/** The operations of a kind of resources. */
interface Actions {
  readonly create: (scim: ScimContext, body: Body) => Promise<Resource>;
  readonly replace: (scim: ScimContext, id: number, body: Body) => Promise<Resource>;
  readonly patch: (scim: ScimContext, id: number, steps: ReturnType<typeof stepsOf>) => Promise<Resource>;
  readonly remove: (scim: ScimContext, id: number) => Promise<void>;
}

function resourcePages(path: string, listing: Listing, { create, replace, patch, remove }: Actions) {
  const many = scimPage(path, ['GET', 'POST'], async (asked) => {
    if (asked.method === 'POST') return show(201, await create(asked, await bodyOf(asked)), asked);
    return written(200, await search(asked, listing, asked.request.url.searchParams));
  });
  const one = scimPage(`${path}/{id}`, ['GET', 'PUT', 'PATCH', 'DELETE'], async (asked) => {
    const { method, request } = asked;
    const id = idOf(request);
    if (method === 'PUT') return show(200, await replace(asked, id, await bodyOf(asked)), asked);
    if (method === 'PATCH') return show(200, await patch(asked, id, stepsOf(await bodyOf(asked))), asked);
    if (method === 'DELETE') {
      await remove(asked, id);
      return { status: 204 };
    }
    const [found] = await listing.byIds(asked, [id]);
    if (!found) throw noSuch();
    const { version } = found.meta;
    return namesTag(request.headers['if-none-match'], version)
      ? { status: 304, headers: { etag: version } }
      : show(200, found, asked);
  });
  return [many, one];
}

function idOf({ path }: RealmRequest): number {
  const id = path['id'] ?? '';
  if (!/^\d{1,10}$/.test(id)) throw noSuch();
  return Number(id);
}

type Described = { readonly id: string };

function describing(path: string, all: (base: string) => readonly Described[]) {
  const many = scimPage(path, ['GET'], ({ base }) => {
    const Resources = all(base);
    return Promise.resolve(
      reply(200, {
        schemas: [LIST],
        totalResults: Resources.length,
        startIndex: 1,
        itemsPerPage: Resources.length,
        Resources,
      }),
    );
  });
  const one = scimPage(`${path}/{id}`, ['GET'], ({ base, request }) => {
    const found = all(base).find(({ id }) => id.toLowerCase() === request.path['id']?.toLowerCase());
    if (!found) throw noSuch();
    return Promise.resolve(reply(200, found));
  });
  return [many, one];
}

export const scimPages = [
  ...resourcePages('/Users', users, { create: createUser, replace: replaceUser, patch: patchUser, remove: deleteUser }),
  ...resourcePages('/Groups', groups, {
    create: createGroup,
    replace: replaceGroup,
    patch: patchGroup,
    remove: deleteGroup,
  }),
  scimPage('/ServiceProviderConfig', ['GET'], ({ base }) => Promise.resolve(reply(200, serviceProviderConfig(base)))),
  ...describing('/ResourceTypes', resourceTypes),
  ...describing('/Schemas', schemas),
];
