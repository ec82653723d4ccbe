import type { Actor } from '#kernel/auth';
import { lockLog } from '#kernel/events';
import type { UserId } from '#kernel/ids';
import type { Context } from '#kernel/context';
import { foldCase } from '#kernel/text';
import { renderMarkdown } from '#features/rendering';
import {
  assertMayCreate,
  assertRoomForChannels,
  assertPlace,
  checkedSettings,
  createChannels,
  type CreationInput,
  newChannel,
} from '../creating/index.ts';
import {
  accessPrincipals,
  assertChannelName,
  ChannelExists,
  type ChannelRow,
  channelsCreated,
  findChannelsByName,
  oneLine,
  powersOf,
} from '../core/index.ts';
import { addSubscribers } from '../subscriptions/index.ts';

/** A request to make a channel. See protocol/channels#creating. */
export interface AddChannelInput extends CreationInput {
  readonly announce: boolean;
  readonly description: string;
  readonly name: string;
  readonly subscribers: readonly UserId[];
}

/** Makes one channel and subscribes people to it, in one transaction and in the order of protocol/channels#creating. */
export async function addChannel(context: Context, actor: Actor, input: AddChannelInput): Promise<ChannelRow> {
  const { name, subscribers, announce } = input;
  assertChannelName(name);
  const description = oneLine(input.description);
  const rendered_description = (await renderMarkdown(context, actor.realm, description)).html;
  return context.store.as(actor).write(async (tx) => {
    // Locked before anything is read: two requests for one name must not both find it free.
    await lockLog(tx);
    const taken = (await findChannelsByName(tx, [name])).get(foldCase(name));
    if (taken) throw ChannelExists({ channel_name: name });
    const powers = await powersOf(tx);
    const { retention } = await assertPlace(tx, powers, input);
    assertMayCreate(context, powers, input, retention);
    await assertRoomForChannels(tx, powers, 1);
    const settings = await checkedSettings(tx, powers, input);
    const own = { name, description, rendered_description };
    const created = await createChannels(tx, actor.userId, [newChannel(input, own, retention, settings)]);
    const people = subscribers.length > 0 ? await accessPrincipals(tx, subscribers, '') : [];
    await addSubscribers(tx, created, people, { created });
    await channelsCreated.send(tx, { channels: created, announce }, context);
    const [channel] = created;
    if (!channel) throw new Error('no channel was made');
    return channel;
  });
}
