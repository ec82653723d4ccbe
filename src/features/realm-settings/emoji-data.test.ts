import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openWorld, type World } from '../../../test/support/world.ts';

describe('the names of all emoji (protocol/organizations#server-facts)', () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld('sqlite');
  });
  afterAll(() => world.close());

  it('are for everybody, on any origin, and not sent again to who has them', async () => {
    const { max, spectator } = world;
    const url = (await max.register({ fetch_event_types: ['realm'] })).state['server_emoji_data_url'];
    // Clients fetch it as it is (protocol/organizations#server-facts).
    expect(url).toBe('http://localhost:9991/static/emoji.json');
    const reply = await spectator.fetch(url, { headers: { origin: 'https://elsewhere.example' } });
    expect(reply.headers).toMatchObject({ 'content-type': 'application/json', 'access-control-allow-origin': '*' });
    expect(reply.json().code_to_names['1f44d']).toContain('thumbs_up');
    const etag = String(reply.headers['etag']);
    const again = await spectator.fetch(url, { headers: { 'if-none-match': `"other", W/${etag}` } });
    expect([again.statusCode, again.body]).toEqual([304, '']);
    expect((await spectator.fetch(url, { headers: { 'if-none-match': '"other"' } })).statusCode).toBe(200);
  });
});
