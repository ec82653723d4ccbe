import { expect, it } from 'vitest';
import { anyone, endpoint } from '#kernel/endpoint';
import { InternalError, ParameterInvalid, RouteMissing, UnknownHost } from '#kernel/errors';
import { assertDeclared } from './declared.ts';

const declared = (fails: readonly (typeof RouteMissing)[]) =>
  endpoint({
    id: 'get-nothing',
    method: 'GET',
    path: '/nothing',
    source: 'protocol/errors#unknown-routes',
    doc: 'Nothing.',
    who: anyone,
    params: {},
    returns: {},
    fails,
    run: () => Promise.resolve({}),
  });

it('refuses an error about a missing thing that the operation does not declare, wherever the error is declared', () => {
  expect(() => assertDeclared(declared([]), RouteMissing())).toThrow('does not declare');
  expect(() => assertDeclared(declared([RouteMissing]), UnknownHost())).toThrow('does not declare');
  expect(() => assertDeclared(declared([]), ParameterInvalid({ var_name: 'days', bad_value: 0 }))).toThrow('does not');
  assertDeclared(declared([RouteMissing]), RouteMissing());
  assertDeclared(declared([]), InternalError());
});
