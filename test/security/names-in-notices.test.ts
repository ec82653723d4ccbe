import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Body } from '../support/client.ts';
import { databases } from '../support/databases.ts';
import { openWorld, type World } from '../support/world.ts';

/** Closes the link or bold text that it stands in, mentions everybody, and leads elsewhere. */
const TOPIC = '** @**all** [look](http://evil.test) `a** $$x$$';
const CHANNEL = 'x** @**all** @_*role:owners* [b](http://e.test)';
const GROUP = 'g* @**all** [b](http://e.test) *';

/** A text as browsers show it. */
const shown = (html: string) => html.replaceAll(/&#(\d+);/g, (_all, code) => String.fromCharCode(Number(code)));

/** What the notification bot writes is believed, and it may mention everybody where the person who made it write may not. */
describe.each(databases)('names in what the server itself writes, on %s', (database) => {
  let world: World;
  let moderation: number;
  beforeAll(async () => {
    world = await openWorld(database);
    const { adam, max, mia, olive } = world;
    world.server.context.jobs.start(world.server.context);
    await max.post('/users/me/subscriptions', { subscriptions: [{ name: 'open' }], principals: [mia.userId] });
    await adam.post('/users/me/subscriptions', { subscriptions: [{ name: 'moderation' }], invite_only: true });
    moderation = (await adam.get('/get_stream_id', { stream: 'moderation' }))['stream_id'];
    await olive.patch('/realm', { moderation_request_channel_id: moderation });
  });
  afterAll(() => world.close());

  /** The newest messages of the notification bot, after checking that they mention nobody and link to no other site. */
  const said = async (count: number, who = world.mia): Promise<readonly string[]> => {
    await world.server.context.jobs.idle();
    const { messages } = await who.get('/messages', { anchor: 'newest', num_before: 50, num_after: 0 });
    const own = messages.filter(({ sender_full_name }: Body) => sender_full_name === 'Notification Bot').slice(-count);
    expect(own).toHaveLength(count);
    for (const { content, flags } of own) {
      expect(flags.filter((flag: string) => flag.includes('mentioned'))).toEqual([]);
      expect(content).not.toMatch(/class="user-(group-)?mention(?!( silent|[^"]* silent)")/);
      expect(content).not.toMatch(/href="http:\/\/e/);
    }
    return own.map(({ content }: Body) => shown(content));
  };

  it('topics, where messages were moved from and to', async () => {
    const { max } = world;
    const { id } = await max.post('/messages', { type: 'channel', to: 'open', topic: 'a', content: 'x' });
    const move = { propagate_mode: 'change_all', send_notification_to_old_thread: true };
    for (const topic of [TOPIC, 'b']) await max.patch(`/messages/${id}`, { ...move, topic });
    const [, to, from] = await said(4);
    const label = '#open &gt; ** @**all** [look](http://evil.test) `a** $$x$$</a>';
    for (const text of [to, from]) expect(text).toContain(label);
    expect(to).toContain('href="/#narrow/channel/1-open/topic/.2A.2A.20.40.2A.2Aall.2A.2A.20.5Blook.5D');
  });

  it('topics in reports', async () => {
    const { max, mia, adam } = world;
    const { id } = await max.post('/messages', { type: 'channel', to: 'open', topic: TOPIC, content: '@**all**' });
    await mia.post(`/messages/${id}/report`, { report_type: 'spam', description: '@**all** @**Adam Admin**' });
    const [report] = await said(1, adam);
    expect(report).toContain('** @**all** [look](http://evil.test)');
  });

  it('channels, where somebody was put into them, made them or renamed them', async () => {
    const { max, mia } = world;
    for (const principals of [[max.userId], [mia.userId]])
      await max.post('/users/me/subscriptions', { subscriptions: [{ name: CHANNEL }], principals });
    expect((await said(2)).join()).toContain('#x** @**all** @_*role:owners* [b](http://e.test)</a>');
    const { stream_id } = await max.get('/get_stream_id', { stream: CHANNEL });
    await max.patch(`/streams/${stream_id}`, { new_name: 'y @**all** [b](http://e.test)' });
    expect(await said(1)).toEqual([expect.stringContaining('<strong>y @**all** [b](http://e.test)</strong>')]);
  });

  it('groups, who may post in a channel', async () => {
    const { max, mia } = world;
    const { group_id } = await max.post('/user_groups/create', {
      name: GROUP,
      description: '',
      members: [mia.userId],
    });
    const { stream_id } = await max.get('/get_stream_id', { stream: 'open' });
    await max.patch(`/streams/${stream_id}`, { can_send_message_group: { new: group_id } });
    expect((await said(1))[0]).toContain('g* @**all** [b](http://e.test) *');
  });
});
