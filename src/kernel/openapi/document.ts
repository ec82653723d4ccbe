import type { AnyEndpoint, Endpoints } from '#kernel/endpoint';
import { errorResponse, successResponse } from './responses.ts';
import { samplesOf } from './samples.ts';
import { joinedParameters, type Operation, operationsOf } from './paths.ts';
import { Schemas } from './schemas.ts';
import { parameters, requestBody } from './requests.ts';

interface ServerInfo {
  readonly version: string;
  readonly url: string;
}

/**
 * Turns of the event loop that other work gets after each operation. Sending a message takes several turns, and would
 * otherwise wait for an operation in each of them.
 */
const TURNS = 8;

type Json = Readonly<Record<string, unknown>>;

/** The OpenAPI 3.1 document of a set of endpoints. Other work of the process gets its turns after each of them. */
export async function openApiDocument(endpoints: Endpoints, server: ServerInfo): Promise<Json> {
  const schemas = new Schemas();
  const paths: Record<string, Record<string, Json>> = {};
  for (const operation of operationsOf(endpoints)) {
    (paths[`/api/v1${operation.template}`] ??= {})[operation.method.toLowerCase()] = {
      ...described(operation, schemas, endpoints),
      'x-codeSamples': samplesOf(operation.endpoints[0], server.url),
    };
    for (let turn = 0; turn < TURNS; turn++) await new Promise(setImmediate);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Roost',
      version: server.version,
      description: 'Team chat: channels with topics, direct messages, event queues.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: server.url }],
    security: [{ basic: [] }],
    paths,
    components: {
      schemas: schemas.all(),
      securitySchemes: { basic: { type: 'http', scheme: 'basic', description: 'Email address and API key.' } },
    },
  };
}

function described(operation: Operation, schemas: Schemas, all: Endpoints): Json {
  const { endpoints } = operation;
  const [endpoint] = endpoints;
  const body = requestBody(endpoint, schemas);
  return {
    operationId: endpoint.id,
    summary: endpoints.map(({ doc }) => doc).join(' '),
    description: description(endpoint),
    tags: [endpoint.path.split('/')[1] ?? 'other'],
    ...(endpoint.who.credentials !== 'required' && {
      security: endpoint.who.credentials === 'ignored' ? [] : [{}, { basic: [] }],
    }),
    parameters: joinedParameters(operation, (one) => parameters(one, schemas)),
    ...(body && { requestBody: body }),
    responses: { '200': successResponse(endpoint, schemas), ...errorResponse(endpoints, all) },
  };
}

function description(endpoint: AnyEndpoint): string {
  const since = endpoint.since === undefined ? '' : ` Since feature level ${endpoint.since}.`;
  return `For ${endpoint.who.who}.${since} Source: ${linked(endpoint.source)}.`;
}

/** Citations of the protocol as links to the pages that this server shows. */
function linked(source: string): string {
  return source.replace(/protocol\/[\w-]+(?:#[\w-]+)?/g, (cited) => `[${cited}](/api/${cited})`);
}
