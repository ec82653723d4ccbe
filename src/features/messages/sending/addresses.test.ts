import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Client } from '../../../../test/support/client.ts';
import { databases } from '../../../../test/support/databases.ts';
import { openWorld, type World } from '../../../../test/support/world.ts';

/**
 * Who sees the real address of somebody, by the value of `email_address_visibility`. See protocol/users#user-object.
 */
const SEERS = {
  1: ['olive', 'adam', 'mona', 'max', 'gus'],
  2: ['olive', 'adam', 'mona', 'max'],
  3: ['olive', 'adam'],
  4: [],
  5: ['olive', 'adam', 'mona'],
} as const;
const VIEWERS = ['olive', 'adam', 'mona', 'max', 'gus'] as const;

describe.each(databases)('people named by their addresses on %s', (database) => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld(database);
  });
  afterAll(() => world.close());

  const made = (who: Client) => `user${who.userId}@localhost`;
  const write = (to: string) => ({ type: 'direct', to, content: 'psst' });
  const page = (operator: string, operand: string) => ({
    anchor: 'newest',
    num_before: 1,
    narrow: [{ operator, operand }],
  });

  it.each([1, 2, 3, 4, 5] as const)('answers a hidden address like one nobody has, at visibility %s', async (shown) => {
    const seers: readonly string[] = SEERS[shown];
    const real = `Shy-${shown}@roost.test`;
    const shy = await world.user({ email: real, email_address_visibility: shown });
    const queue = await shy.register({ event_types: ['message'] });
    for (const name of VIEWERS) {
      const viewer = world[name];
      if (seers.includes(name)) await viewer.post('/messages', write(real.toUpperCase()));
      else expect((await viewer.refused('POST', '/messages', write(real))).msg).toBe(`Invalid email '${real}'`);
      await viewer.post('/messages', write(made(shy)));
    }
    expect((await queue.events()).length).toBe(seers.length + VIEWERS.length);
    await shy.post('/messages', write(real));
  });

  it.each([1, 2, 3, 4, 5] as const)('finds nobody in a narrow by a hidden address, at visibility %s', async (shown) => {
    const seers: readonly string[] = SEERS[shown];
    const real = `coy-${shown}@roost.test`;
    const coy = await world.user({ email: real, email_address_visibility: shown });
    for (const name of VIEWERS) {
      const viewer = world[name];
      await viewer.post('/messages', write(made(coy)));
      for (const operator of ['dm', 'dm-including', 'sender', 'group-pm-with', 'mentions']) {
        await viewer.get('/messages', page(operator, made(coy)));
        if (seers.includes(name)) await viewer.get('/messages', page(operator, real));
        else
          expect(await viewer.refused('GET', '/messages', page(operator, real))).toMatchObject({
            code: 'BAD_NARROW',
            desc: operator === 'dm' ? `unknown user in ${real}` : `unknown user ${real}`,
          });
      }
    }
  });

  it('finds nobody for a spectator by an address that not everybody sees', async () => {
    const open = await world.user({ email: 'open@roost.test', email_address_visibility: 1 });
    const shut = await world.user({ email: 'shut@roost.test', email_address_visibility: 2 });
    const look = (sender: string) => ({
      anchor: 'newest',
      num_before: 1,
      narrow: [
        ['channels', 'web-public'],
        ['sender', sender],
      ],
    });
    await world.olive.patch('/realm', { enable_spectator_access: true });
    await world.spectator.get('/messages', look('open@roost.test'));
    for (const who of [open, shut]) await world.spectator.get('/messages', look(made(who)));
    expect((await world.spectator.refused('GET', '/messages', look('shut@roost.test'))).desc).toBe(
      'unknown user shut@roost.test',
    );
  });

  it.each([1, 2, 3, 4, 5] as const)(
    'names the address of the API of somebody deactivated, at visibility %s',
    async (shown) => {
      const { max, olive } = world;
      const real = `Gone-${shown}@roost.test`;
      const gone = await world.user({ email: real, email_address_visibility: shown });
      await olive.delete(`/users/${gone.userId}`);
      const named = shown === 1 ? real : made(gone);
      const refused = async (who: Client, to: string) =>
        (await who.refused('POST', '/messages', { type: 'direct', to, content: 'psst' })).msg;
      for (const to of [`[${gone.userId}]`, made(gone)])
        expect(await refused(max, to)).toBe(`'${named}' is no longer using Roost.`);
      expect(await refused(olive, real)).toBe(
        shown === 4 ? `Invalid email '${real}'` : `'${named}' is no longer using Roost.`,
      );
    },
  );

  it('tells a guest nothing of the address of a stranger', async () => {
    const { gus, olive } = world;
    const stranger = await world.user({ email: 'stranger@roost.test', email_address_visibility: 1 });
    await olive.patch('/realm', { can_access_all_users_group: { new: await membersGroup() } });
    const refused = async (to: string) => (await gus.refused('POST', '/messages', write(to))).msg;
    expect(await refused('stranger@roost.test')).toBe("Invalid email 'stranger@roost.test'");
    expect(await refused('nobody@roost.test')).toBe("Invalid email 'nobody@roost.test'");
    for (const to of [made(stranger), `[${stranger.userId}]`])
      expect(await refused(to)).toBe('You do not have permission to access some of the recipients.');
  });

  const membersGroup = async () =>
    (await world.olive.get('/user_groups'))['user_groups'].find(
      (group: { name: string }) => group.name === 'role:members',
    ).id as number;
});
