import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../../../test/support/databases.ts';
import { openWorld, type World } from '../../../test/support/world.ts';

describe.each(databases)('saved snippets on %s', (database) => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld(database);
  });
  afterAll(() => world.close());

  it('are created, edited, listed and thrown away by their owner, who alone hears of it (protocol/saved#snippets)', async () => {
    const { max, mia } = world;
    const [own, other] = [await max.register(), await mia.register()];
    const { saved_snippet_id: id } = await max.post('/saved_snippets', { title: ' greeting ', content: ' *Hello* \n' });
    const snippet = { id, title: 'greeting', content: '*Hello*', date_created: world.clock.now() };
    expect((await max.register()).state['saved_snippets']).toEqual([snippet]);
    world.clock.advance(60_000);
    await max.patch(`/saved_snippets/${id}`, { title: 'salute' });
    expect((await max.get('/saved_snippets'))['saved_snippets']).toEqual([{ ...snippet, title: 'salute' }]);
    await max.delete(`/saved_snippets/${id}`);
    expect((await max.get('/saved_snippets'))['saved_snippets']).toEqual([]);
    expect(await own.events()).toMatchObject([
      { type: 'saved_snippets', op: 'add', saved_snippet: snippet },
      { type: 'saved_snippets', op: 'update', saved_snippet: { ...snippet, title: 'salute' } },
      { type: 'saved_snippets', op: 'remove', saved_snippet_id: id },
    ]);
    expect(await other.events()).toEqual([]);
  });

  it('are refused in the order of protocol/saved#snippets', async () => {
    const refused = async (fields: object) => (await world.gus.refused('POST', '/saved_snippets', { ...fields })).msg;
    expect(await refused({})).toBe("Missing 'content' argument");
    expect(await refused({ content: 'x' })).toBe("Missing 'title' argument");
    expect(await refused({ content: ' ', title: '' })).toBe('content cannot be blank');
    expect(await refused({ content: 'x'.repeat(10_001), title: 'x' })).toBe(
      'content is too long (limit: 10000 characters)',
    );
    expect(await refused({ content: 'x', title: ' \n' })).toBe('title cannot be blank');
    expect(await refused({ content: 'x', title: '😀'.repeat(61) })).toBe('title is too long (limit: 60 characters)');
  });

  it('of somebody else look like ones that do not exist (protocol/saved#snippets, check 3)', async () => {
    const { saved_snippet_id: id } = await world.max.post('/saved_snippets', { title: 'mine', content: 'x' });
    for (const unknown of [id, 999_999]) {
      for (const method of ['PATCH', 'DELETE'] as const) {
        const refusal = await world.mia.refused(
          method,
          `/saved_snippets/${unknown}`,
          method === 'PATCH' ? { title: 'y' } : {},
        );
        expect(refusal).toMatchObject({ status: 404, code: 'BAD_REQUEST', msg: 'Saved snippet does not exist.' });
      }
      await world.mia.patch(`/saved_snippets/${unknown}`);
    }
    expect((await world.max.get('/saved_snippets'))['saved_snippets']).toMatchObject([{ title: 'mine' }]);
  });
});
