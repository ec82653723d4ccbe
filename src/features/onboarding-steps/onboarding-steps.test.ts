import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../../../test/support/databases.ts';
import { expectSync } from '../../../test/support/sync.ts';
import { openWorld, type World } from '../../../test/support/world.ts';

const url = '/users/me/onboarding_steps';

describe.each(databases)('onboarding steps on %s', (database) => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld(database);
  });
  afterAll(() => world.close());

  it('remain until they are read, for each user alone (protocol/settings#small-operations)', async () => {
    const { max, mia } = world;
    const before = (await max.register()).state;
    expect(before['navigation_tour_video_url']).toBeNull();
    expect(before['onboarding_steps']).toContainEqual({ type: 'one_time_notice', name: 'intro_inbox_view_modal' });
    const [own, others] = await expectSync([max, mia], async () => {
      await max.post(url, { onboarding_step: 'intro_inbox_view_modal' });
      await max.post(url, { onboarding_step: 'intro_inbox_view_modal' });
    });
    const left = before['onboarding_steps'].filter((step: { name: string }) => step.name !== 'intro_inbox_view_modal');
    expect(own).toMatchObject([{ type: 'onboarding_steps', onboarding_steps: left }]);
    expect(others).toEqual([]);
    expect((await mia.register()).state['onboarding_steps']).toEqual(before['onboarding_steps']);
  });

  it('are known ones, and for people', async () => {
    const bot = await world.user({ is_bot: true, bot_type: 1, bot_owner_id: null });
    expect((await world.gus.refused('POST', url)).msg).toBe("Missing 'onboarding_step' argument");
    expect((await world.gus.refused('POST', url, { onboarding_step: 'dance' })).msg).toBe(
      'Unknown onboarding_step: dance',
    );
    expect((await bot.refused('POST', url, { onboarding_step: 'dance' })).msg).toBe(
      'This endpoint does not accept bot requests.',
    );
  });

  it('read twice at once are read once', async () => {
    const { olive } = world;
    const queue = await olive.register();
    const read = () => olive.post(url, { onboarding_step: 'intro_resolve_topic' });
    await Promise.all([read(), read()]);
    expect(await queue.events()).toMatchObject([{ type: 'onboarding_steps' }]);
  });
});
