import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../../../test/support/databases.ts';
import { openWorld, type World } from '../../../test/support/world.ts';

describe.each(databases)('calls on %s', (database) => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld(database);
  });
  afterAll(() => world.close());

  it.each([
    ['POST', '/calls/zoom/create', { is_video_call: false }, 'Zoom credentials have not been configured'],
    ['GET', '/calls/bigbluebutton/create', { meeting_name: 'owls' }, 'BigBlueButton is not configured.'],
    ['POST', '/calls/constructorgroups/create', {}, 'Constructor Groups is not configured.'],
    ['POST', '/calls/nextcloud_talk/create', { room_name: 'owls' }, 'Nextcloud Talk is not configured.'],
  ] as const)(
    'say that the service is not configured: %s %s (protocol/organizations#not-offered)',
    async (method, path, parameters, msg) => {
      expect((await world.max.refused(method, path, { ...parameters })).msg).toBe(msg);
    },
  );

  it('want the name of a meeting first', async () => {
    const { max } = world;
    expect((await max.refused('GET', '/calls/bigbluebutton/create')).msg).toBe("Missing 'meeting_name' argument");
    expect((await max.refused('POST', '/calls/nextcloud_talk/create')).msg).toBe("Missing 'room_name' argument");
  });
});
