import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../../../test/support/databases.ts';
import { expectSync } from '../../../test/support/sync.ts';
import { openWorld, type World } from '../../../test/support/world.ts';

describe.each(databases)('slash commands on %s', (database) => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld(database);
  });
  afterAll(() => world.close());
  const run = (command: string) => world.max.post('/zcommand', { command });

  it.each([
    ['/dark', 'color_scheme', 2],
    ['/light', 'color_scheme', 3],
    ['/fluid-width', 'fluid_layout_width', true],
    ['/fixed-width', 'fluid_layout_width', false],
  ])(
    '%s changes a setting of who typed it, and says so (protocol/settings#small-operations)',
    async (command, property, value) => {
      const [own, other] = await expectSync([world.max, world.mia], async () => {
        expect((await run(command))['msg']).toMatch(/now/);
      });
      expect(own).toMatchObject([{ type: 'user_settings', op: 'update', property, value }]);
      expect(other).toEqual([]);
      const [again] = await expectSync([world.max], () => run(command));
      expect(again).toEqual([]);
    },
  );

  it('/ping changes nothing and says nothing', async () => {
    const [events] = await expectSync([world.max], async () => {
      expect((await run('/ping'))['msg']).toBe('');
    });
    expect(events).toEqual([]);
  });

  it('are refused without a slash, and when there is no such command', async () => {
    const refused = async (command: string) => (await world.gus.refused('POST', '/zcommand', { command })).msg;
    expect(await refused('dark')).toBe('There should be a leading slash in the zcommand.');
    expect(await refused('/brighter')).toBe('No such command: brighter');
    expect(await refused('/constructor')).toBe('No such command: constructor');
  });
});
