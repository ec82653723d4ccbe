import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Body, Client, Parameters } from '../../../../test/support/client.ts';
import { databases } from '../../../../test/support/databases.ts';
import { plain } from '../../../../test/support/pictures.ts';
import { openWorld, type World } from '../../../../test/support/world.ts';

const TICKET = { pattern: '#(?P<id>[0-9]+)', url_template: 'https://tracker.example.com/{id}' };

describe.each(databases)('the text of messages on %s', (database) => {
  let world: World;
  const ids: Record<string, number> = {};
  beforeAll(async () => {
    world = await openWorld(database);
    const { max, adam } = world;
    const make = async (name: string, parameters: Parameters = {}) => {
      await max.post('/users/me/subscriptions', { subscriptions: [{ name }], ...parameters });
      ids[name] = (await max.get('/get_stream_id', { stream: name }))['stream_id'];
    };
    await make('open');
    await make('closed', { invite_only: true });
    await make('guarded', { invite_only: true, history_public_to_subscribers: false });
    await adam.post('/realm/filters', TICKET);
  });
  afterAll(() => world.close());

  const render = async (who: Client, content: string): Promise<string> =>
    (await who.post('/messages/render', { content }))['rendered'];
  const send = (who: Client, to: string, topic: string, content = 'x') =>
    who.post('/messages', { type: 'channel', to, topic, content });
  const shown = async (who: Client, id: number): Promise<Body> =>
    (await who.get(`/messages/${id}`, { apply_markdown: true }))['message'];

  it('is shown without sending it (protocol/fetching#one-message)', async () => {
    const { max, gus, spectator } = world;
    expect(await render(gus, '**bold** & <b>')).toBe('<p><strong>bold</strong> &amp; &lt;b&gt;</p>');
    expect(await render(gus, '')).toBe('');
    expect(await render(gus, 'x'.repeat(20_000))).toHaveLength(10_000 + '<p></p><br>'.length);
    const missing = { code: 'REQUEST_VARIABLE_MISSING', msg: "Missing 'content' argument" };
    expect(await max.refused('POST', '/messages/render')).toMatchObject(missing);
    expect((await spectator.refused('POST', '/messages/render', { content: 'x' })).status).toBe(401);
  });

  it('links what a linkifier finds, in texts and in topics (protocol/markdown#linkifiers)', async () => {
    const { max } = world;
    expect(await render(max, 'see #12')).toBe('<p>see <a href="https://tracker.example.com/12">#12</a></p>');
    const { id } = await send(max, 'open', 'fix #12, example.com', 'see #7');
    expect(await shown(max, id)).toMatchObject({
      content: '<p>see <a href="https://tracker.example.com/7">#7</a></p>',
      topic_links: [
        { text: '#12', url: 'https://tracker.example.com/12' },
        { text: 'example.com', url: 'https://example.com' },
      ],
    });
  });

  it('links the new name of a topic, and keeps its links when only the channel changes', async () => {
    const { max, adam } = world;
    const { id } = await send(max, 'open', 'plain');
    const queue = await max.register({ event_types: ['update_message'] });
    await adam.patch(`/messages/${id}`, { topic: 'now #3' });
    const topic_links = [{ text: '#3', url: 'https://tracker.example.com/3' }];
    expect(await queue.events()).toMatchObject([{ subject: 'now #3', topic_links }]);
    expect(await shown(max, id)).toMatchObject({ topic_links });
    await max.post('/users/me/subscriptions', { subscriptions: [{ name: 'elsewhere' }] });
    const { stream_id } = await max.get('/get_stream_id', { stream: 'elsewhere' });
    await adam.patch(`/messages/${id}`, { stream_id });
    expect(await shown(max, id)).toMatchObject({ stream_id, topic_links });
  });

  it('follows every change of the linkifiers', async () => {
    const { max, adam } = world;
    const { id } = await adam.post('/realm/filters', { pattern: 'WIKI', url_template: 'https://a.example' });
    expect(await render(max, 'WIKI')).toContain('href="https://a.example"');
    await adam.patch(`/realm/filters/${id}`, { pattern: 'WIKI', url_template: 'https://b.example' });
    expect(await render(max, 'WIKI')).toContain('href="https://b.example"');
    await adam.delete(`/realm/filters/${id}`);
    expect(await render(max, 'WIKI')).toBe('<p>WIKI</p>');
  });

  it.runIf(database === 'postgres')('follows changes that another process made', async () => {
    const { adam, max } = world;
    const there = max.at(await world.anotherServer());
    expect(await render(there, 'ELSE')).toBe('<p>ELSE</p>');
    const client_capabilities = { notification_settings_null: true, linkifier_url_template: true };
    const queue = await there.register({ event_types: ['realm_linkifiers'], client_capabilities });
    const heard = queue.wait();
    const { id } = await adam.post('/realm/filters', { pattern: 'ELSE', url_template: 'https://else.example' });
    await heard;
    expect(await render(there, 'ELSE')).toContain('href="https://else.example"');
    await adam.delete(`/realm/filters/${id}`);
  });

  it('shows the emoji of the organization while they are active', async () => {
    const { adam, max } = world;
    const content = await plain(64, 64).png().toBuffer();
    await adam.send('POST', '/realm/emoji/night_owl', [{ name: 'x.png', content }]);
    const { emoji } = await max.get('/realm/emoji');
    const { source_url } = Object.values<Body>(emoji)[0] ?? {};
    const image = `<p><img alt=":night_owl:" class="emoji" src="${source_url}" title="night owl"></p>`;
    expect(await render(max, ':night_owl:')).toBe(image);
    await adam.delete('/realm/emoji/night_owl');
    expect(await render(max, ':night_owl:')).toBe('<p>:night_owl:</p>');
  });

  it('names pictures that are there for everybody', async () => {
    for (const [path, type] of [
      ['/static/images/loading/loader-black.svg', 'image/svg+xml'],
      ['/static/generated/emoji/images/emoji/unicode/zulip.png', 'image/png'],
    ] as const)
      expect((await world.spectator.fetch(path)).headers['content-type']).toBe(type);
  });

  it('obeys the settings of the organization and of the author', async () => {
    const { max, mia, adam } = world;
    expect(await render(max, '```\nx\n```')).not.toContain('data-code-language');
    await adam.patch('/realm', { default_code_block_language: 'python' });
    expect(await render(max, '```\nx\n```')).toContain('data-code-language="Python"');
    expect(await render(max, 'https://a.example/x.png')).toContain('message_inline_image');
    await adam.patch('/realm', { inline_image_preview: false });
    expect(await render(max, 'https://a.example/x.png')).not.toContain('message_inline_image');
    await adam.patch('/realm', { inline_image_preview: true, default_code_block_language: '' });
    expect(await render(mia, ':)')).toBe('<p>:)</p>');
    await mia.patch('/settings', { translate_emoticons: true });
    expect(await render(mia, ':)')).toContain('class="emoji emoji-');
    expect(await render(max, ':)')).toBe('<p>:)</p>');
  });

  it('links the channels that its author may read, and no others (protocol/markdown#channel-links)', async () => {
    const { max, mia, gus, olive } = world;
    const link = (name: string) =>
      `<p><a class="stream" data-stream-id="${ids[name]}" href="/#narrow/channel/${ids[name]}-${name}">#${name}</a></p>`;
    expect(await render(max, '#**closed**')).toBe(link('closed'));
    expect(await render(max, '#**guarded**')).toBe(link('guarded'));
    expect(await render(mia, '#**open**')).toBe(link('open'));
    for (const name of ['closed', 'guarded', 'missing'])
      for (const who of [mia, olive])
        expect(await render(who, `#**${name}**`)).toBe(`<p>#<strong>${name}</strong></p>`);
    expect(await render(gus, '#**open**')).toBe('<p>#<strong>open</strong></p>');
    expect(await render(max, '#**OPEN**')).toBe('<p>#<strong>OPEN</strong></p>');
  });

  it('links a topic with the latest message of it that its author can see', async () => {
    const { max, mia } = world;
    const { id } = await send(max, 'open', 'Lunch');
    const start = `href="/#narrow/channel/${ids['open']}-open/topic/lunch`;
    expect(await render(mia, '#**open>lunch**')).toContain(`${start}/with/${id}"`);
    expect(await render(mia, '#**open>lunches**')).toContain(`${start}es"`);
    const { id: unseen } = await send(max, 'guarded', 'plans');
    await max.post('/users/me/subscriptions', { subscriptions: [{ name: 'guarded' }], principals: [mia.userId] });
    expect(await render(max, '#**guarded>plans**')).toContain(`/with/${unseen}"`);
    expect(await render(mia, '#**guarded>plans**')).not.toContain('/with/');
    const { id: seen } = await send(max, 'guarded', 'plans');
    expect(await render(mia, '#**guarded>plans**')).toContain(`/with/${seen}"`);
  });

  it('does not let a topic make a notice tell of a private channel', async () => {
    const { max, adam } = world;
    const { id } = await send(max, 'open', 'harmless');
    await adam.patch(`/messages/${id}`, { topic: 'x** #**closed', send_notification_to_new_thread: true });
    const { messages } = await max.get('/messages', { anchor: 'newest', num_before: 3, num_after: 0 });
    const notices = messages.filter((message: Body) => message['sender_full_name'] === 'Notification Bot');
    expect(notices.length).toBeGreaterThan(0);
    for (const notice of notices) expect(notice['content']).not.toContain(`data-stream-id="${ids['closed']}"`);
  });
});
