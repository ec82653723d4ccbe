import { endpoint, everyone, page, path } from '#kernel/endpoint';
import type { UserId } from '#kernel/ids';
import { idOf, int } from '#kernel/schema';
import { describe, expect, it } from 'vitest';
import { Routes } from './routes.ts';

const declared = { source: 'test', doc: 'Test.', who: everyone, returns: { n: int() }, fails: [] } as const;
const list = endpoint({
  ...declared,
  id: 'list',
  method: 'GET',
  path: '/things',
  params: {},
  run: async () => ({ n: 1 }),
});
const one = endpoint({
  ...declared,
  id: 'one',
  method: 'GET',
  path: '/things/{user_id}',
  params: { user_id: path(idOf<UserId>()) },
  run: async () => ({ n: 1 }),
});
const home = page({ methods: ['GET'], path: '/', handle: async () => ({ body: 'home' }) });
const routes = () => new Routes([list, one], [home]);

describe('a route', () => {
  it('is the same for a path however often it is requested and however it is written', () => {
    const found = routes();
    for (const path of ['/api/v1/things', '/api/v1/things', '/json/things', '/api/v1//things/', '/api/v1/th%69ngs'])
      expect(found.find(path).operations?.methods.get('GET')).toBe(list);
    expect(found.find('/api/v1/things/3').operations?.path).toEqual({ user_id: '3' });
    expect(found.find('/api/v1/things/4').operations?.path).toEqual({ user_id: '4' });
  });

  it('belongs to the API if the API answers when no page does', () => {
    const kinds = (path: string) => {
      const { page: match, operations, isBelowApi, isApi } = routes().find(path);
      return [match !== undefined, operations !== undefined, isBelowApi, isApi];
    };
    expect(kinds('/')).toEqual([true, false, false, true]);
    expect(kinds('/api/v1/unknown')).toEqual([false, false, true, true]);
    expect(kinds('/api/')).toEqual([false, false, false, true]);
    expect(kinds('/api/v1/%zz')).toEqual([false, false, true, true]);
    expect(kinds('/elsewhere')).toEqual([false, false, false, false]);
  });
});
