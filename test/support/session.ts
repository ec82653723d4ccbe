import { plain } from './pictures.ts';
import type { Client } from './client.ts';
import type { World } from './world.ts';

/** A scripted afternoon in an organization with nearly every kind of event that somebody can see. */
export async function afternoon(world: World): Promise<void> {
  const channel = await conversation(world);
  await organizing(world, channel);
  await peopleComeAndGo(world);
  await ownThings(world.max);
}

const send = async (client: Client, fields: object): Promise<number> =>
  (await client.post('/messages', { ...fields }))['id'];

/** Conversations: messages of both kinds, edits, moves, deletions, reactions, flags, polls, typing. */
async function conversation({ max, mia, olive, gus }: World): Promise<number> {
  const principals = [max.userId, mia.userId, gus.userId];
  await mia.post('/users/me/subscriptions', { subscriptions: [{ name: 'garden' }], principals });
  const { stream_id } = await max.get('/get_stream_id', { stream: 'garden' });
  const inTopic = (client: Client, content: string, topic = 'soil') =>
    send(client, { type: 'channel', to: stream_id, topic, content });
  const first = await inTopic(mia, 'who has seen **the spade**? @**Max Member**');
  const second = await inTopic(max, '/me has');
  await inTopic(mia, 'no topic at all', '');
  const direct = await send(mia, { type: 'direct', to: [max.userId], content: 'between us' });
  await send(mia, { type: 'direct', to: [max.userId, gus.userId], content: 'the three of us' });
  await send(max, { type: 'direct', to: [max.userId], content: 'a note to myself' });
  const poll = await send(mia, {
    type: 'channel',
    to: stream_id,
    topic: 'lunch',
    content: '/poll Lunch?\nsoup\nsalad',
  });
  const vote = { type: 'vote', key: 'canned,0', vote: 1 };
  await max.post('/submessage', { message_id: poll, msg_type: 'widget', content: JSON.stringify(vote) });
  for (const id of [first, direct]) {
    await max.post(`/messages/${id}/reactions`, { emoji_name: 'octopus' });
    await mia.post(`/messages/${id}/reactions`, { emoji_name: 'octopus' });
    await max.delete(`/messages/${id}/reactions`, { emoji_name: 'octopus' });
  }
  await max.post(`/messages/${second}/reactions`, { emoji_name: 'zulip', reaction_type: 'zulip_extra_emoji' });
  await max.patch(`/messages/${second}`, { content: 'has it in his hands' });
  await mia.patch(`/messages/${direct}`, { content: 'between the two of us' });
  await olive.patch(`/messages/${first}`, { topic: 'tools', propagate_mode: 'change_all' });
  await max.post('/messages/flags', { messages: [first, direct], op: 'add', flag: 'starred' });
  await max.post('/messages/flags', { messages: [first, direct], op: 'add', flag: 'read' });
  await max.post('/messages/flags', { messages: [first, direct], op: 'remove', flag: 'read' });
  for (const op of ['start', 'stop']) {
    await mia.post('/typing', { op, type: 'direct', to: [max.userId] });
    await mia.post('/typing', { op, type: 'channel', stream_id, topic: 'tools' });
  }
  await mia.delete(`/messages/${direct}`).catch(() => olive.delete(`/messages/${first}`));
  await olive.delete(`/messages/${poll}`);
  return stream_id;
}

/** Changes by owners: channels, folders, groups, emoji, linkifiers, fields, settings. */
async function organizing({ olive, max, mia }: World, stream_id: number): Promise<void> {
  await olive.patch(`/streams/${stream_id}`, { new_name: 'orchard', description: 'apples *and* pears' });
  const { channel_folder_id } = await olive.post('/channel_folders/create', { name: 'outside', description: '' });
  await olive.patch(`/channel_folders/${channel_folder_id}`, { description: 'in the open' });
  await olive.patch('/channel_folders', { order: [channel_folder_id] });
  await olive.patch(`/streams/${stream_id}`, { folder_id: channel_folder_id });
  await olive.post('/users/me/subscriptions', {
    subscriptions: [{ name: 'cellar' }],
    principals: [max.userId, mia.userId],
    invite_only: true,
  });
  const { stream_id: cellar } = await max.get('/get_stream_id', { stream: 'cellar' });
  await max.post('/users/me/subscriptions/properties', {
    subscription_data: [
      { stream_id: cellar, property: 'is_muted', value: true },
      { stream_id: cellar, property: 'color', value: '#A0B0C0' },
      { stream_id: cellar, property: 'push_notifications', value: true },
    ],
  });
  await mia.delete('/users/me/subscriptions', { subscriptions: ['cellar'] });
  await max.delete('/users/me/subscriptions', { subscriptions: ['cellar'] });
  const { group_id } = await olive.post('/user_groups/create', {
    name: 'gardeners',
    description: 'green thumbs',
    members: [max.userId],
  });
  await olive.patch(`/user_groups/${group_id}`, { description: 'green thumbs all' });
  await olive.post(`/user_groups/${group_id}/members`, { add: [mia.userId], delete: [max.userId] });
  const { group_id: other } = await olive.post('/user_groups/create', { name: 'all', description: '', members: [] });
  await olive.post(`/user_groups/${other}/subgroups`, { add: [group_id] });
  await olive.post(`/user_groups/${other}/subgroups`, { delete: [group_id] });
  await olive.post(`/user_groups/${other}/deactivate`);
  const picture = await plain(32, 32).png().toBuffer();
  await olive.send('POST', '/realm/emoji/apple', [{ name: 'apple.png', content: picture, type: 'image/png' }]);
  await olive.delete('/realm/emoji/apple');
  await olive.post('/realm/filters', { pattern: '#(?P<id>[0-9]+)', url_template: 'https://example.com/{id}' });
  await olive.post('/realm/profile_fields', { name: 'Favourite tree', field_type: 1 });
  await olive.patch('/realm', { name: 'The Garden', description: 'green' });
}

/** People join, change and leave. */
async function peopleComeAndGo({ olive, mia, max }: World): Promise<void> {
  await olive.patch(`/users/${mia.userId}`, { full_name: 'Mia Gardener', role: 300 });
  await mia.patch('/settings', { timezone: 'Europe/Berlin' });
  await mia.post('/users/me/presence', { status: 'active' });
  await mia.post('/users/me/status', { status_text: 'digging', emoji_name: 'seedling' });
  await mia.post('/users/me/status', { status_text: '', emoji_name: '', emoji_code: '', reaction_type: '' });
  const { user_id } = await olive.post('/bots', { full_name: 'Rake', short_name: 'rake' });
  await olive.delete(`/bots/${user_id}`);
  await olive.delete(`/users/${mia.userId}`);
  await olive.post(`/users/${mia.userId}/reactivate`);
  await max.post(`/users/me/muted_users/${mia.userId}`);
}

/** Changes that only the person sees. */
async function ownThings(max: Client): Promise<void> {
  await max.post('/users/me/alert_words', { alert_words: ['spade'] });
  await max.patch('/settings', { starred_message_counts: false, emojiset: 'twitter', twenty_four_hour_time: true });
  const { saved_snippet_id } = await max.post('/saved_snippets', { title: 'thanks', content: 'thank you' });
  await max.patch(`/saved_snippets/${saved_snippet_id}`, { title: 'many thanks' });
  await max.delete(`/saved_snippets/${saved_snippet_id}`);
  const { stream_id } = await max.get('/get_stream_id', { stream: 'orchard' });
  await max.post('/user_topics', { stream_id, topic: 'soil', visibility_policy: 3 });
  const { ids } = await max.post('/drafts', {
    drafts: [{ type: 'stream', to: [stream_id], topic: 'soil', content: 'not yet', timestamp: 1_760_000_000 }],
  });
  await max.delete(`/drafts/${ids[0]}`);
  await max.post('/navigation_views', { fragment: 'narrow/is/starred', is_pinned: true });
  const { device_id } = await max.post('/register_client_device');
  await max.post('/remove_client_device', { device_id });
}
