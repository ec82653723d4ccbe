import { type AnyEndpoint, type Endpoints, pathParts } from '#kernel/endpoint';
import { grouped } from '#kernel/lists';

type Json = Readonly<Record<string, unknown>>;

/** One operation of the document, and the endpoints that it describes. */
export interface Operation {
  /** Path below /api/v1; the paths of two operations never differ only in the names of parameters. */
  readonly template: string;
  /** Names of the parameters in the path, in their order. */
  readonly names: readonly string[];
  readonly method: string;
  /** Endpoints with fewer texts in the path come first. */
  readonly endpoints: readonly [AnyEndpoint, ...AnyEndpoint[]];
}

/**
 * Returns the operations of endpoints, by path. OpenAPI does not tell paths apart by the names of their parameters: an
 * endpoint with a number in the path, and another with a text in the same place, are one operation that takes both.
 */
export function operationsOf(endpoints: Endpoints): readonly Operation[] {
  const sorted = endpoints.toSorted((a, b) => (a.path < b.path ? -1 : 1));
  const byShape = grouped(sorted.map((endpoint) => [shapeOf(endpoint), endpoint]));
  return [...byShape.values()].flatMap((alike) => {
    const ordered = alike.toSorted((a, b) => textsIn(a) - textsIn(b));
    const names = namesOf(ordered);
    const template = templateOf(alike[0]?.path ?? '', names);
    return [...grouped(ordered.map((endpoint) => [endpoint.method, endpoint]))].flatMap(
      ([method, [first, ...others]]) =>
        first ? [{ template, names, method, endpoints: [first, ...others] as const }] : [],
    );
  });
}

/** Whether an endpoint takes a number in the path, and no other endpoint takes a text in its place. */
export function takesNumbersOnly(endpoint: AnyEndpoint, endpoints: Endpoints): boolean {
  if (!takesNumber(endpoint)) return false;
  const shape = shapeOf(endpoint);
  return !endpoints.some((other) => shapeOf(other) === shape && !takesNumber(other));
}

const takesNumber = ({ params }: AnyEndpoint): boolean =>
  Object.values(params).some(({ encoding }) => encoding === 'path');
const shapeOf = ({ path }: AnyEndpoint): string => path.replace(/\{[^}]*\}/g, '{}');
const textsIn = ({ params }: AnyEndpoint): number =>
  Object.values(params).filter(({ encoding }) => encoding === 'pathText').length;

/**
 * Returns the names of the parameters in the path. Different names in the same place are joined: `user_id_or_email`.
 */
function namesOf(alike: Endpoints): readonly string[] {
  const all = alike.map(({ path }) => paramsIn(path));
  return (all[0] ?? []).map((_, place) => [...new Set(all.map((names) => names[place]))].join('_or_'));
}

/** Names of the parameters in a path, without the `*` of a parameter that may contain slashes. */
const paramsIn = (path: string): readonly string[] =>
  pathParts(path).flatMap((part) => ('fixed' in part ? [] : [part.param.replace('*', '')]));

function templateOf(path: string, names: readonly string[]): string {
  const rest = names.values();
  return path.replace(/\{[^}]*\}/g, () => `{${rest.next().value ?? ''}}`);
}

/** Returns the parameters of an operation: those in the path take what any of its declarations takes. */
export function joinedParameters(
  { endpoints, names }: Operation,
  parametersOf: (endpoint: AnyEndpoint) => readonly Json[],
): readonly Json[] {
  const all = endpoints.map((endpoint) => ({ own: paramsIn(endpoint.path), parameters: parametersOf(endpoint) }));
  const inPath = names.map((name, place) => {
    const same = all.flatMap(({ own, parameters }) => parameters.filter((one) => one['name'] === own[place]));
    const schemas = same.map((parameter) => parameter['schema']);
    const description = [...new Set(same.map((parameter) => parameter['description']))].join(' Or: ');
    return { ...same[0], name, description, schema: schemas.length > 1 ? { anyOf: schemas } : schemas[0] };
  });
  return [...inPath, ...(all[0]?.parameters ?? []).filter((parameter) => parameter['in'] !== 'path')];
}
