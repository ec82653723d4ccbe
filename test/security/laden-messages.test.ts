import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asId, type MessageId, type UserId } from '#kernel/ids';
import { inChunks } from '#kernel/store';
import { databases } from '../support/databases.ts';
import { insertPeople } from '../support/people.ts';
import { longestTurnMs } from '../support/processor.ts';
import { openWorld, type World } from '../support/world.ts';

const PEOPLE = 2000;
const EMOJI = 15;
const VOTES = 9000;
/** Milliseconds of processor time; made at once, they are a hundred. */
const MAX_MS = 50;

/** Whoever reads a message gets everything that was added to it. */
describe.each(databases)('a message to which thousands have added something, on %s', (database) => {
  let world: World;
  let people: readonly number[];
  beforeAll(async () => {
    world = await openWorld(database);
    const { max, gus } = world;
    await max.post('/users/me/subscriptions', { subscriptions: [{ name: 'crowd' }], principals: [gus.userId] });
    people = await insertPeople(world, PEOPLE);
  }, 120_000);
  afterAll(() => world.close());

  /** Sends a poll that is full of votes, and of reactions of everybody with each emoji in turn; returns its ID. */
  async function laden(): Promise<number> {
    const { server, realm, max } = world;
    const { id } = await max.post('/messages', { type: 'channel', to: 'crowd', topic: 'all', content: '/poll lunch?' });
    const row = { realm_id: realm.id, message_id: asId<MessageId>(id) };
    const vote = JSON.stringify({ type: 'vote', key: 'canned,0', vote: 1 });
    const votes = Array.from({ length: VOTES }, (_none, n) => ({
      ...row,
      sender_id: asId<UserId>(people[n % PEOPLE] ?? 0),
      msg_type: 'widget',
      content: vote,
    }));
    const reactions = Array.from({ length: EMOJI * PEOPLE }, (_none, n) => ({
      ...row,
      user_id: asId<UserId>(people[n % PEOPLE] ?? 0),
      emoji_name: `e${Math.floor(n / PEOPLE)}`,
      emoji_code: `${Math.floor(n / PEOPLE)}`,
      reaction_type: 'realm_emoji',
    }));
    await server.context.store.of(realm.id).write(async ({ db }) => {
      for (const some of inChunks(votes, 1000)) await db.insertInto('submessage').values(some).execute();
      for (const some of inChunks(reactions, 1000)) await db.insertInto('reaction').values(some).execute();
    });
    return id;
  }

  /** The shortest of some turns of work, because collections of garbage count. */
  async function longestOf(works: readonly (() => Promise<unknown>)[]): Promise<number> {
    const costs: number[] = [];
    for (const work of works) costs.push(await longestTurnMs(work));
    return Math.min(...costs);
  }

  it('is read whole, alone and in a list', async () => {
    const { max, gus, olive, realm } = world;
    const id = await laden();
    const page = { anchor: id, num_before: 1, num_after: 1, narrow: [{ operator: 'channel', operand: 'crowd' }] };
    const { message: alone, raw_content } = await max.get(`/messages/${id}`);
    expect(raw_content).toBe('/poll lunch?');
    const [listed] = (await max.get('/messages', page))['messages'].filter((one: { id: number }) => one.id === id);
    const { display_recipient, submessages, reactions } = listed;
    expect(alone).toMatchObject({ display_recipient, submessages, reactions });
    expect(submessages).toHaveLength(VOTES + 1);
    expect(submessages[0].content).toContain('lunch?');
    expect(submessages.map((one: { sender_id: number }) => one.sender_id).slice(1, 4)).toEqual(people.slice(0, 3));
    expect(Object.keys(submessages[1])).toEqual(['id', 'message_id', 'sender_id', 'msg_type', 'content']);
    // Oldest first: everybody with one emoji, then everybody with the next.
    const all = Array.from({ length: EMOJI }, (_none, n) => people.map((user) => `e${n} ${user}`)).flat();
    expect(reactions.map((one: { emoji_name: string; user_id: number }) => `${one.emoji_name} ${one.user_id}`)).toEqual(
      all,
    );
    const user = { id: people[0], full_name: 'Person 0' };
    expect(reactions[0]).toMatchObject({ emoji_code: '0', reaction_type: 'realm_emoji', user });
    await olive.patch('/realm', { can_access_all_users_group: { new: realm.groups['role:members'] } });
    expect((await gus.get(`/messages/${id}`))['message'].reactions[0].user.full_name).toBe('Unknown user');
    await olive.patch('/realm', { can_access_all_users_group: { new: realm.groups['role:everyone'] } });
  });

  it('keeps nobody waiting while it is read, or deleted', { timeout: 120_000 }, async () => {
    const { max, adam } = world;
    const ids = [await laden(), await laden(), await laden()];
    const narrow = encodeURIComponent(JSON.stringify([{ operator: 'channel', operand: 'crowd' }]));
    const read = (path: string) => () =>
      max.fetch(`/api/v1/messages${path}`, { headers: { 'accept-encoding': 'gzip' } });
    const page = (id: number) => read(`?anchor=${id}&num_before=0&num_after=0&narrow=${narrow}`);
    const costs = {
      alone: await longestOf(ids.map((id) => read(`/${id}`))),
      listed: await longestOf(ids.map(page)),
      deleted: await longestOf(ids.map((id) => () => adam.delete(`/messages/${id}`))),
    };
    for (const ms of Object.values(costs)) expect(ms).toBeLessThan(MAX_MS);
  });
});
