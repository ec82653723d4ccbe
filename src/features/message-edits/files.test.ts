import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Body, Client } from '../../../test/support/client.ts';
import { databases } from '../../../test/support/databases.ts';
import { openWorld, type World } from '../../../test/support/world.ts';

describe.each(databases)('the files of edited messages on %s', (database) => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld(database);
    const { max, mia } = world;
    await max.post('/users/me/subscriptions', {
      subscriptions: [{ name: 'open' }],
      principals: [max.userId, mia.userId],
    });
    await mia.post('/users/me/subscriptions', { subscriptions: [{ name: 'closed' }], invite_only: true });
  });
  afterAll(() => world.close());

  const link = (upload: Body) => `[${upload['filename']}](${upload['url']})`;
  const send = async (who: Client, content: string, to = 'open'): Promise<number> =>
    (await who.post('/messages', { type: 'channel', to, topic: 'files', content }))['id'];
  const edit = async (who: Client, id: number, content: string): Promise<Body[]> =>
    (await who.patch(`/messages/${id}`, { content }))['detached_uploads'];
  const opens = async (who: Client, upload: Body) => (await who.fetch(upload['url'])).statusCode;
  const withAttachment = async (who: Client): Promise<number[]> => {
    const narrow = [{ operator: 'has', operand: 'attachment' }];
    const { messages } = await who.get('/messages', { anchor: 'newest', num_before: 50, num_after: 0, narrow });
    return messages.map((message: Body) => message['id']);
  };

  it('are shared by an edit that links them, and let go by one that does not (protocol/editing#checks)', async () => {
    const { max, mona } = world;
    const upload = await max.upload('late.txt');
    const id = await send(max, 'nothing yet');
    expect(await opens(mona, upload)).toBe(403);
    const queue = await max.register({ event_types: ['attachment'] });
    expect(await edit(max, id, link(upload))).toEqual([]);
    expect(await opens(mona, upload)).toBe(200);
    expect(await withAttachment(max)).toContain(id);
    const detached = await edit(max, id, 'nothing any more');
    expect(detached).toMatchObject([{ name: 'late.txt', message_ids: [], messages: [] }]);
    expect(await opens(mona, upload)).toBe(403);
    expect(await opens(max, upload)).toBe(200);
    expect(await withAttachment(max)).not.toContain(id);
    const told = (await queue.events()).map((event) => [event['op'], event['attachment']['message_ids']]);
    expect(told).toEqual([
      ['update', [id]],
      ['update', []],
    ]);
  });

  it('are not detached while another message uses them, or when they are somebody else’s', async () => {
    const { max, mia } = world;
    const upload = await max.upload('twice.txt');
    const [first, second] = [await send(max, link(upload)), await send(mia, link(upload))];
    expect(await edit(max, first, 'gone here')).toEqual([]);
    expect(await edit(mia, second, 'gone there, too')).toEqual([]);
    const { attachments } = await max.get('/attachments');
    expect(attachments.find((row: Body) => row['name'] === 'twice.txt')).toMatchObject({ message_ids: [] });
  });

  it('stay with a message whose edit still links them, and are not taken from where the author cannot look', async () => {
    const { max, mia, mona } = world;
    const secret = await mia.upload('secret.txt');
    await send(mia, link(secret), 'closed');
    const id = await send(max, link(secret));
    expect(await withAttachment(max)).not.toContain(id);
    await edit(max, id, `again ${link(secret)}`);
    expect(await opens(mona, secret)).toBe(403);
    const own = await max.upload('own.txt');
    const kept = await send(max, link(own));
    expect(await edit(max, kept, `still ${link(own)}`)).toEqual([]);
    expect(await opens(mona, own)).toBe(200);
  });

  it('count where the text shows them, not in code', async () => {
    const { max, mona } = world;
    const upload = await max.upload('code.txt');
    const id = await send(max, `\`${link(upload)}\``);
    expect(await opens(mona, upload)).toBe(403);
    expect(await withAttachment(max)).not.toContain(id);
    await edit(max, id, `> ${link(upload)}`);
    expect(await opens(mona, upload)).toBe(200);
  });
});
