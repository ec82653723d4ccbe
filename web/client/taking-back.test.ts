import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Client } from '../../test/support/client.ts';
import { databases } from '../../test/support/databases.ts';
import { memoryStorage, until, WebAccount } from '../../test/support/web.ts';
import { openWorld, type World } from '../../test/support/world.ts';
import { type AnyEvent, directWith, keyOf } from '../model/index.ts';
import { Memory, Outbox } from '../sync/index.ts';
import { Deleting } from './deleting.ts';
import { Drafts } from './drafts.ts';
import { NOTICE_MS } from './notices.ts';
import { findEntry, sendEntry } from './source.ts';
import { TakingBack } from './taking-back.ts';

describe.each(databases)('taking back on %s', (database) => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld(database);
  });
  afterAll(() => world.close());

  async function open(client: Client) {
    const { api, clock, ...account } = new WebAccount(world, client);
    const drafts = new Drafts('1', () => clock.now(), memoryStorage);
    const outbox = new Outbox({
      storage: new Memory(),
      clock,
      announce: () => undefined,
      catchUp: () => undefined,
      send: (entry, queueId) => sendEntry(api, entry, queueId),
      find: (entry) => findEntry(api, entry, client.userId),
      newest: () => undefined,
      isLeading: () => true,
      onUnstored: () => undefined,
    });
    const refusals: string[] = [];
    const deleting = new Deleting({ api, clock, onRefused: (sentence) => refusals.push(sentence) });
    const takingBack = new TakingBack({ api, clock, outbox, drafts });
    return { ...account, api, clock, drafts, outbox, deleting, refusals, takingBack };
  }
  const oneself = ({ userId }: Client) => directWith([userId], userId);
  const exists = async (client: Client, id: number) => (await client.request('GET', `/messages/${id}`)).status === 200;
  const send = async (from: Client, to: readonly Client[], content: string): Promise<number> =>
    (await from.post('/messages', { type: 'direct', to: to.map(({ userId }) => userId), content }))['id'];
  const arrive = (outbox: Outbox, localId: string, id: number) =>
    outbox.apply({ id: 1, type: 'message', local_message_id: localId, message: { id } } as unknown as AnyEvent);

  it('a message that waits: it never goes out, and its words are back', async () => {
    const ada = await world.user();
    const { outbox, takingBack, drafts } = await open(ada);
    const place = oneself(ada);
    const entry = await outbox.add(place, 'too early');
    void takingBack.sent(entry);
    expect(takingBack.in(keyOf(place))).toEqual({ entry, messageId: undefined });
    expect(await takingBack.take(entry)).toBeUndefined();
    expect([outbox.entries.value, drafts.get(keyOf(place))]).toEqual([[], 'too early']);
    expect(takingBack.in(keyOf(place))).toBeUndefined();
  });

  it('a message that was sent: it is deleted for everybody, and its words are back', async () => {
    const ada = await world.user();
    const { outbox, takingBack, drafts, asked } = await open(ada);
    const place = oneself(ada);
    const queue = (await ada.post('/register', { event_types: ['message'] })).queue_id;
    await outbox.ready(queue, new Set());
    const entry = await outbox.add(place, 'too early');
    void takingBack.sent(entry);
    await until(() => outbox.entries.value[0]?.status === 'sent');
    const id = outbox.entries.value[0]?.messageId ?? 0;
    // A sent message whose event has not arrived yet cannot be taken back.
    expect(await takingBack.take(entry)).toBeUndefined();
    expect([drafts.get(keyOf(place)), await exists(ada, id)]).toEqual(['', true]);
    arrive(outbox, entry.localId, id);
    expect(await takingBack.take(entry)).toBeUndefined();
    expect([drafts.get(keyOf(place)), await exists(ada, id)]).toEqual(['too early', false]);
    expect(asked.filter((line) => line.startsWith('DELETE')).length).toBe(1);
  });

  it('is offered for a while, for the last message of its conversation', async () => {
    const ada = await world.user();
    const { outbox, takingBack, clock } = await open(ada);
    const entry = await outbox.add(oneself(ada), 'one');
    const done = takingBack.sent(entry);
    expect(takingBack.in(keyOf({ channelId: 1, topic: 'elsewhere' }))).toBeUndefined();
    clock.pass(NOTICE_MS);
    await done;
    expect(takingBack.in(keyOf(oneself(ada)))).toBeUndefined();
  });

  it('a deletion: nothing has happened; without, it goes out after a while', async () => {
    const ada = await world.user();
    const { deleting, clock, refusals } = await open(ada);
    const [kept, gone] = [await send(ada, [ada], 'kept'), await send(ada, [ada], 'gone')];
    deleting.start(kept);
    deleting.start(gone);
    expect(deleting.at(kept)).toBe(clock.now() + NOTICE_MS);
    deleting.undo(kept);
    clock.pass(NOTICE_MS - 1);
    expect([deleting.at(kept), await exists(ada, gone)]).toEqual([undefined, true]);
    clock.pass(1);
    await until(() => deleting.at(gone) === undefined);
    expect([await exists(ada, kept), await exists(ada, gone), refusals]).toEqual([true, false, []]);
  });

  it('a deletion that the server refuses leaves the message, with the server’s sentence', async () => {
    const [ada, ben] = [await world.user(), await world.user()];
    const { deleting, clock, refusals } = await open(ben);
    const id = await send(ada, [ada, ben], 'not yours');
    deleting.start(id);
    clock.pass(NOTICE_MS);
    await until(() => deleting.at(id) === undefined);
    expect(refusals).toEqual(["You don't have permission to delete this message"]);
    expect(await exists(ada, id)).toBe(true);
  });

  it('sends what waits when the page is left', async () => {
    const ada = await world.user();
    const { deleting } = await open(ada);
    const id = await send(ada, [ada], 'gone');
    deleting.start(id);
    deleting.flush();
    await until(() => deleting.at(id) === undefined);
    expect(await exists(ada, id)).toBe(false);
  });
});
