import type { Actor } from '#kernel/auth';
import { lockLog } from '#kernel/events';
import type { ChannelId } from '#kernel/ids';
import type { Context } from '#kernel/context';
import { accessToAdminister, knowersOf } from '../members/index.ts';
import { announceDefaults } from '../creating/index.ts';
import { AlreadyArchived, channelArchived, powersOf, setChannel } from '../core/index.ts';
import { channelChanged, channelDeleted } from '../events.ts';

/** Archives a channel: it keeps name, subscriptions, settings and messages. See protocol/channels#archiving. */
export async function archiveChannel(context: Context, actor: Actor, id: ChannelId): Promise<void> {
  await context.store.as(actor).write(async (tx) => {
    await lockLog(tx);
    const { channel } = await accessToAdminister(tx, await powersOf(tx), id);
    if (channel.is_archived) throw AlreadyArchived();
    await setChannel(tx, id, { is_archived: true, is_default: false });
    if (channel.is_default) await announceDefaults(tx);
    // What else names the channel lets go of it before clients do (protocol/events#order).
    await channelArchived.send(context, tx, { channel: { ...channel, is_archived: true } });
    const audience = await knowersOf(tx, channel);
    const { name } = channel;
    const before = { is_archived: false };
    tx.emit(
      channelChanged(
        actor.realmId,
        { stream_id: id, name, property: 'is_archived', value: true },
        { audience, before },
      ),
    );
    const gone = { stream_ids: [id], streams: [{ stream_id: id }], for_archiving: true };
    tx.emit(channelDeleted(actor.realmId, gone, { audience }));
  });
}
