import type { AnyEndpoint, Endpoints } from '#kernel/endpoint';
import { errorResponse, successResponse } from './responses.ts';
import { samplesOf } from './samples.ts';
import { Schemas } from './schemas.ts';
import { parameters, requestBody } from './requests.ts';

interface Facts {
  readonly version: string;
  readonly url: string;
}

type Json = Readonly<Record<string, unknown>>;

/** The OpenAPI 3.1 document of a set of endpoints. Other work of the process gets its turn after each of them. */
export async function openApiDocument(endpoints: Endpoints, facts: Facts): Promise<Json> {
  const schemas = new Schemas();
  const paths: Record<string, Record<string, Json>> = {};
  for (const endpoint of endpoints.toSorted((a, b) => (a.path < b.path ? -1 : 1))) {
    (paths[`/api/v1${templateOf(endpoint)}`] ??= {})[endpoint.method.toLowerCase()] = {
      ...operation(endpoint, schemas),
      'x-codeSamples': samplesOf(endpoint, facts.url),
    };
    await new Promise(setImmediate);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Roost',
      version: facts.version,
      description: 'Team chat: channels with topics, direct messages, event queues.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: facts.url }],
    security: [{ basic: [] }],
    paths,
    components: {
      schemas: schemas.all(),
      securitySchemes: { basic: { type: 'http', scheme: 'basic', description: 'Email address and API key.' } },
    },
  };
}

/** The path without the mark of a parameter that takes slashes, too. */
function templateOf({ path }: AnyEndpoint): string {
  return path.replace('*}', '}');
}

function operation(endpoint: AnyEndpoint, schemas: Schemas): Json {
  const body = requestBody(endpoint, schemas);
  return {
    operationId: endpoint.id,
    summary: endpoint.doc,
    description: description(endpoint),
    tags: [endpoint.path.split('/')[1] ?? 'other'],
    ...(endpoint.who.credentials !== 'required' && {
      security: endpoint.who.credentials === 'ignored' ? [] : [{}, { basic: [] }],
    }),
    parameters: parameters(endpoint, schemas),
    ...(body && { requestBody: body }),
    responses: { '200': successResponse(endpoint, schemas), ...errorResponse(endpoint) },
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
