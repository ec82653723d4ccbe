import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AttachmentRow } from '#features/uploads';
import { asId, type MessageId } from '#kernel/ids';
import type { Body, Client } from '../support/client.ts';
import { databases } from '../support/databases.ts';
import { openWorld, type World } from '../support/world.ts';

/** Anybody may use a file in any number of messages. */
describe.each(databases)('files that thousands of messages use, on %s', (database) => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld(database);
    await world.max.post('/users/me/subscriptions', { subscriptions: [{ name: 'open' }] });
  });
  afterAll(() => world.close());

  const link = (upload: Body) => `[](${upload['url']})`;
  const send = async (client: Client, to: string | number, uploads: readonly Body[]): Promise<number> => {
    const place = typeof to === 'string' ? { type: 'channel', to, topic: 'files' } : { type: 'direct', to: [to] };
    return (await client.post('/messages', { ...place, content: uploads.map(link).join('') }))['id'];
  };
  const listed = async (client: Client, uploads: readonly Body[]): Promise<Body[]> => {
    const paths = new Set(uploads.map(({ url }) => String(url).slice('/user_uploads/'.length)));
    return (await client.get('/attachments'))['attachments'].filter((one: Body) => paths.has(one['path_id']));
  };
  /** Adds messages, which nobody can read, to those that use the files of an account. */
  const use = async (client: Client, uploads: readonly Body[], first: number, count: number) => {
    const ids = (await listed(client, uploads)).map(({ id }) => asId<AttachmentRow['id']>(id));
    await world.server.context.store.of(world.realm.id).write(async (tx) => {
      for (const attachment_id of ids) {
        const rows = Array.from({ length: count }, (_, index) => ({
          realm_id: world.realm.id,
          attachment_id,
          message_id: asId<MessageId>(first + index),
        }));
        await tx.db.insertInto('attachment_use').values(rows).execute();
      }
    });
  };
  const upload = (client: Client, count: number) =>
    Promise.all(Array.from({ length: count }, (_, index) => client.upload(`${index}.txt`, 'x', 'text/plain')));

  it('are listed, and announced, with the newest hundred (protocol/files#attachments)', async () => {
    const { gus } = world;
    const files = await upload(gus, 1);
    await use(gus, files, -5000, 5000);
    const queue = await gus.register({ event_types: ['attachment'] });
    const id = await send(gus, gus.userId, files);
    const newest = [...Array.from({ length: 99 }, (_, index) => index - 99), id];
    const [event] = await queue.events();
    expect(event?.['attachment'].message_ids).toEqual(newest);
    const [file] = await listed(gus, files);
    expect(file?.['message_ids']).toEqual(newest);
    expect(file?.['messages'].at(-1)).toMatchObject({ id, date_sent: expect.any(Number) });
  });

  it('are announced with a thousand messages of all of them, where one message uses many', async () => {
    const { gus } = world;
    const files = await upload(gus, 50);
    await use(gus, files, -100, 100);
    const queue = await gus.register({ event_types: ['attachment'] });
    const id = await send(gus, gus.userId, files);
    const events = await queue.events();
    expect(events).toHaveLength(50);
    for (const { attachment } of events) expect(attachment.message_ids).toContain(id);
    expect(events.flatMap(({ attachment }) => attachment.message_ids)).toHaveLength(1000);
  });

  it('can be opened by one of the newest or oldest thousand', async () => {
    const { max, mia } = world;
    const [file = {}, other = {}] = await upload(max, 2);
    await send(max, 'open', [file]);
    await send(max, 'open', [other]);
    const status = async (one: Body) => (await mia.fetch(one['url'])).statusCode;
    await use(max, [file], 1_000_000, 1000);
    await use(max, [other], -1000, 1000);
    expect([await status(file), await status(other)]).toEqual([200, 200]);
    await use(max, [file], -1000, 1000);
    expect(await status(file)).toBe(403);
  });
});
