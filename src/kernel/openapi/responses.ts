import type { AnyEndpoint, Endpoints, Param } from '#kernel/endpoint';
import {
  type ApiErrorRow,
  BadAuthorizationHeader,
  BasicAuthRequired,
  BodyMalformed,
  BodyTooLarge,
  BodyTooSlow,
  CsrfFailed,
  HeadTooLarge,
  IncomingWebhookBot,
  InvalidApiKey,
  MalformedApiKey,
  OrganizationMoved,
  ParameterFault,
  ParameterMissing,
  ParametersConfusing,
  RateLimited,
  RealmDeactivated,
  RouteMissing,
  ServerBusy,
  Unauthorized,
  UnknownHost,
  UserDeactivated,
} from '#kernel/errors';
import { grouped } from '#kernel/lists';
import { takesNumbersOnly } from './paths.ts';
import type { Schemas } from './schemas.ts';

type Json = Readonly<Record<string, unknown>>;

const EXTRA: Readonly<Record<string, Json>> = {
  integer: { type: 'integer' },
  number: { type: 'number' },
  string: { type: 'string' },
  boolean: { type: 'boolean' },
  strings: { type: 'array', items: { type: 'string' } },
  objects: { type: 'array', items: { type: 'object' } },
  any: {},
};

/** Returns the response of an operation's success: the envelope and the operation's own fields. */
export function successResponse(endpoint: AnyEndpoint, schemas: Schemas): Json {
  const own = schemas.of(endpoint.replySchema);
  const { properties, required, ...rest } = own;
  const schema = {
    ...rest,
    type: 'object',
    properties: {
      result: { const: 'success' },
      msg: { const: '' },
      ignored_parameters_unsupported: { type: 'array', items: { type: 'string' } },
      ...(typeof properties === 'object' && properties),
    },
    required: ['result', 'msg', ...stringsOf(required)],
    // A handler that serializes its reply may declare no fields and send some.
    additionalProperties: Object.keys(endpoint.returns).length === 0,
  };
  return { description: 'Success', content: { 'application/json': { schema } } };
}

/** The errors of an operation: its own, those of its access rule, and those of every operation. */
export function errorRows(endpoint: AnyEndpoint, all: Endpoints): readonly ApiErrorRow[] {
  return [...endpoint.fails, ...endpoint.who.fails, ...common(endpoint, all)].map((factory) => factory.row);
}

/** Returns the error responses of some endpoints by status; `all` are the endpoints of the server. */
export function errorResponse(endpoints: Endpoints, all: Endpoints): Json {
  const rows = [...new Set(endpoints.flatMap((endpoint) => errorRows(endpoint, all)))];
  const byStatus = grouped(rows.map((row) => [row.status, row]));
  return Object.fromEntries(
    [...byStatus].map(([status, group]) => [
      String(status),
      {
        description: [...new Set(group.map((row) => `\`${row.code}\`: ${meaningOf(row)}`))].join('\n\n'),
        content: { 'application/json': { schema: errorSchema(group) } },
      },
    ]),
  );
}

/** Errors about the caller. */
const CREDENTIALS = [
  Unauthorized,
  BasicAuthRequired,
  BadAuthorizationHeader,
  MalformedApiKey,
  InvalidApiKey,
  UserDeactivated,
  RealmDeactivated,
  IncomingWebhookBot,
  UnknownHost,
];

/** Returns the errors that any operation may answer before its handler runs. */
function common(endpoint: AnyEndpoint, all: Endpoints) {
  return [
    ...(endpoint.who.credentials === 'ignored' ? [] : CREDENTIALS),
    OrganizationMoved,
    BodyMalformed,
    ...ofParameters(Object.values(endpoint.params)),
    ...(takesNumbersOnly(endpoint, all) ? [RouteMissing] : []),
    ...(endpoint.method === 'GET' ? [] : [CsrfFailed, BodyTooLarge, BodyTooSlow]),
    HeadTooLarge,
    RateLimited,
    ServerBusy,
  ];
}

/** Returns the errors for invalid parameters. */
function ofParameters(params: readonly Param[]) {
  const sent = params.filter(({ encoding }) => SENT_AS_TEXT.has(encoding));
  return [
    ...(params.some(({ encoding }) => encoding !== 'path') ? [ParameterFault] : []),
    ...(sent.some(({ required }) => required) ? [ParameterMissing] : []),
    ...(sent.some(({ alias }) => alias !== undefined) ? [ParametersConfusing] : []),
  ];
}

const SENT_AS_TEXT: ReadonlySet<string> = new Set(['raw', 'json', 'lenient']);

/** Returns the meaning of an error; faults of parameters, which have many texts, share one. */
export function meaningOf(row: ApiErrorRow): string {
  return row === ParameterFault.row ? 'A parameter is not as declared; the text names it and its fault.' : row.text;
}

function errorSchema(rows: readonly ApiErrorRow[]): Json {
  const extra = rows.flatMap((row) =>
    Object.entries(row.extra).map(([name, kind]) => [name, EXTRA[kind] ?? {}] as const),
  );
  return {
    type: 'object',
    properties: {
      result: { const: 'error' },
      msg: { type: 'string' },
      code: { type: 'string', enum: [...new Set(rows.map((row) => row.code))] },
      ...Object.fromEntries(extra),
    },
    required: ['result', 'msg', 'code'],
  };
}

function stringsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}
