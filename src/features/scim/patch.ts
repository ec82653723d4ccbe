import { isObject } from '#kernel/text';
import { badPath, badSyntax } from './fault.ts';
import { type Filter, parseFilter } from './filter/index.ts';

/** Most steps of a change, and longest path, in characters. */
const MAX_STEPS = 100;
const MAX_PATH = 2_000;
const SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';

/** A step of a change (RFC 7644, section 3.5.2). See protocol/scim#changing. */
export interface PatchStep {
  readonly op: 'add' | 'replace' | 'remove';
  /** Undefined if the value names the attributes. */
  readonly path: PatchPath | undefined;
  readonly value: unknown;
}

/** The target of a step: `emails[type eq "work"].value` has an attribute, a filter and a part. */
export interface PatchPath {
  readonly attribute: string;
  readonly filter: Filter | undefined;
  readonly part: string | undefined;
}

/** Parses the steps of a change; throws `invalidSyntax` and `invalidPath`. */
export function stepsOf(body: Readonly<Record<string, unknown>>): readonly PatchStep[] {
  const { schemas } = body;
  const operations = Object.entries(body).find(([name]) => name.toLowerCase() === 'operations')?.[1];
  if (!Array.isArray(schemas) || !schemas.includes(SCHEMA)) throw badSyntax(`schemas must name ${SCHEMA}.`);
  if (!Array.isArray(operations) || operations.length === 0 || operations.length > MAX_STEPS)
    throw badSyntax(`Operations must be a list of 1 to ${MAX_STEPS}.`);
  return operations.map(stepOf);
}

function stepOf(sent: unknown): PatchStep {
  if (!isObject(sent)) throw badSyntax('Each operation must be an object.');
  // Directories write the operation in any case.
  const op = typeof sent['op'] === 'string' ? sent['op'].toLowerCase() : '';
  if (op !== 'add' && op !== 'replace' && op !== 'remove') throw badSyntax('op must be add, replace or remove.');
  const path = pathOf(sent['path']);
  if (op === 'remove' && !path) throw badPath('remove needs a path.');
  if (op !== 'remove' && sent['value'] === undefined) throw badSyntax(`${op} needs a value.`);
  if (op !== 'remove' && !path && !isObject(sent['value']))
    throw badSyntax('Without a path the value must be an object.');
  return { op, path, value: sent['value'] };
}

function pathOf(sent: unknown): PatchPath | undefined {
  if (sent === undefined || sent === null || sent === '') return undefined;
  if (typeof sent !== 'string' || sent.length > MAX_PATH) throw badPath('The path must be a text.');
  const found = /^([A-Za-z$][\w$:.-]*)(?:\[(.*)\](?:\.([A-Za-z$][\w$-]*))?)?$/s.exec(sent.trim());
  if (!found) throw badPath('The path cannot be read.');
  const [, attribute = '', filter, part] = found;
  return { attribute, filter: filter === undefined ? undefined : parseFilter(filter), part };
}
