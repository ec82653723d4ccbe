import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../support/databases.ts';
import { openWorld, type World } from '../support/world.ts';
import { makeChannels, type MatrixChannel } from './channels.ts';
import { create, CREATIONS, OPERATIONS } from './operations.ts';
import { meaningOf } from './outcome.ts';
import { makePeople, type People, WAITING_DAYS } from './people.ts';
import { expectedOf, expectedOfCreating } from './table.ts';

/**
 * Everybody who may call, times everything one does with channels, times every kind of channel
 * (protocol/channels#access).
 */
describe.each(databases)('who may do what with channels, on %s', (database) => {
  let world: World;
  let people: People;
  let channels: readonly MatrixChannel[];
  beforeAll(async () => {
    world = await openWorld(database);
    people = await makePeople(world);
    const { olive, realm } = world;
    await olive.patch('/realm', {
      enable_spectator_access: true,
      waiting_period_threshold: WAITING_DAYS,
      can_add_subscribers_group: { new: realm.groups['role:moderators'] },
      can_create_private_channel_group: { new: realm.groups['role:fullmembers'] },
    });
    channels = await makeChannels(people);
  });
  afterAll(() => world.close());

  it.each(OPERATIONS)('$name', async ({ name, attempt, undo }) => {
    const met: Record<string, string> = {};
    for (const [caller, client] of people.callers) {
      met[caller] = '';
      for (const channel of channels) {
        const reply = await attempt(client, channel, people);
        met[caller] += meaningOf(reply);
        if (reply.status === 200 && undo) await undo(channel, people, client);
      }
    }
    expect(met).toEqual(expectedOf(name));
  });

  it('create', async () => {
    const met: Record<string, string> = {};
    for (const [caller, client] of people.callers) {
      met[caller] = '';
      for (const [, parameters] of CREATIONS) met[caller] += meaningOf(await create(client, parameters));
    }
    expect(met).toEqual(expectedOfCreating());
  });
});
