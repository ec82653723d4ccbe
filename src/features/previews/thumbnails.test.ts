import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Body, Client } from '../../../test/support/client.ts';
import { databases } from '../../../test/support/databases.ts';
import { animation, plain } from '../../../test/support/pictures.ts';
import { openWorld, type World } from '../../../test/support/world.ts';

describe.each(databases)('pictures in messages on %s', (database) => {
  let world: World;
  let jpeg: Buffer;
  beforeAll(async () => {
    world = await openWorld(database);
    jpeg = await plain(1200, 800).jpeg().toBuffer();
    const { max, mia } = world;
    const principals = [max.userId, mia.userId];
    await max.post('/users/me/subscriptions', { subscriptions: [{ name: 'open' }], principals });
  });
  afterAll(() => world.close());

  const finishJobs = async () => {
    const { context } = world.server;
    context.jobs.start(context);
    await context.jobs.idle();
  };
  const send = async (who: Client, content: string): Promise<number> =>
    (await who.post('/messages', { type: 'channel', to: 'open', topic: 'pictures', content }))['id'];
  const shown = async (who: Client, id: number): Promise<string> =>
    (await who.get(`/messages/${id}`, { apply_markdown: true }))['message']['content'];
  const image = (url: string, format = '840x560.webp', size = '1200x800', type = 'image/jpeg') => {
    const animated = format.includes('anim') ? 'data-animated="true" ' : '';
    const known = `data-original-content-type="${type}" data-original-dimensions="${size}"`;
    return `<img ${animated}${known} src="${url.replace('/user_uploads/', '/user_uploads/thumbnail/')}/${format}">`;
  };
  const waiting = (size = '1200x800', type = 'image/jpeg') =>
    `<img class="image-loading-placeholder" data-original-content-type="${type}" data-original-dimensions="${size}" ` +
    'src="/static/images/loading/loader-black.svg">';
  const preview = (url: string, img: string) =>
    `<div class="message_inline_image"><a href="${url}" title="a picture">${img}</a></div>`;

  it('are placeholders until their thumbnails are made, which everybody is told of (protocol/markdown#images-from-links)', async () => {
    const { max, mia, mona } = world;
    const { url } = await max.upload('tea.jpg', jpeg, 'image/jpeg');
    const text = `<p><a href="${url}">a picture</a></p>\n`;
    const queues = [await mia.register({ event_types: ['update_message'] }), await mona.register()] as const;
    const id = await send(max, `[a picture](${url})`);
    expect(await shown(mia, id)).toBe(text + preview(url, waiting()));
    world.clock.advance(5000);
    await finishJobs();
    const html = text + preview(url, image(url));
    expect(await shown(mia, id)).toBe(html);
    expect(await queues[0].events()).toEqual([
      {
        id: expect.any(Number),
        type: 'update_message',
        user_id: null,
        rendering_only: true,
        message_id: id,
        message_ids: [id],
        flags: [],
        edit_timestamp: world.clock.now(),
        content: `[a picture](${url})`,
        rendered_content: html,
        is_me_message: false,
      },
    ]);
    expect((await queues[1].events()).filter(({ type }) => type === 'update_message')).toEqual([]);
    const { message } = await max.get(`/messages/${id}`);
    expect(message).not.toHaveProperty('edit_history');
    expect(message).not.toHaveProperty('last_edit_timestamp');
    expect((await max.get(`/messages/${id}/history`))['message_history']).toHaveLength(1);
  });

  it('show their thumbnails at once where they are there', async () => {
    const { max } = world;
    const moving = await (await animation(3, [300, 200])).gif().toBuffer();
    const { url } = await max.upload('dance.gif', moving, 'image/gif');
    await finishJobs();
    const id = await send(max, `[a picture](${url}) ![inline](${url})`);
    const html = await shown(max, id);
    expect(html).toContain(preview(url, image(url, '840x560-anim.webp', '300x200', 'image/gif')));
    expect(html).toContain('<img alt="inline" class="inline-image" data-animated="true"');
  });

  it('are found in messages that were edited meanwhile, and in all that show them', async () => {
    const { max, mia } = world;
    const { url } = await max.upload('late.jpg', jpeg, 'image/jpeg');
    const first = await send(max, 'soon');
    await max.patch(`/messages/${first}`, { content: `[a picture](${url})` });
    const second = await send(mia, `> again\n\n[a picture](${url})`);
    await finishJobs();
    for (const id of [first, second]) expect(await shown(max, id)).toContain(preview(url, image(url)));
  });

  it('are no pictures when they cannot be drawn after all', async () => {
    const { max } = world;
    const broken = Buffer.concat([jpeg.subarray(0, jpeg.length / 2), Buffer.alloc(10)]);
    const { url } = await max.upload('broken.jpg', broken, 'image/jpeg');
    const id = await send(max, `[a picture](${url})`);
    const before = await shown(max, id);
    await finishJobs();
    const after = await shown(max, id);
    expect(before).toContain('image-loading-placeholder');
    expect(after).toBe(`<p><a href="${url}">a picture</a></p>`);
    const narrow = [{ operator: 'has', operand: 'image' }];
    const { messages } = await max.get('/messages', { anchor: id, num_before: 0, num_after: 0, narrow });
    expect(messages.map((message: Body) => message['id'])).not.toContain(id);
  });

  it('are shown to nobody by a text whose author may not open them', async () => {
    const { max, mia } = world;
    const { url } = await max.upload('private.jpg', jpeg, 'image/jpeg');
    const id = await send(mia, `[a picture](${url})`);
    expect(await shown(mia, id)).toBe(`<p><a href="${url}">a picture</a></p>`);
    await finishJobs();
    expect(await shown(mia, id)).toBe(`<p><a href="${url}">a picture</a></p>`);
  });
});
