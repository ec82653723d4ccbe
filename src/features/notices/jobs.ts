import { defineJob, enqueueAll } from '#kernel/jobs';
import type { ChannelId, UserId } from '#kernel/ids';
import type { Context } from '#kernel/context';
import type { RealmWriteTx } from '#kernel/store';
import { type Notice, prepareSystemMessage, sendPrepared } from '#features/messages';
import { loadRealm } from '#features/realms';
import type { SystemBotName } from '#features/users';

interface ReadNotice extends Notice {
  /** People for whom it counts as read, because it is about their own action. */
  readonly readBy: readonly UserId[];
}

/**
 * Sends a notice exactly once: the job ends in the transaction that stores the message. In a deactivated organization
 * nothing is sent.
 */
export const noticeJob = defineJob<ReadNotice, Context>('notice', async (notice, { context, realmId, finish }) => {
  const realm = await loadRealm(context, realmId);
  if (realm.isDeactivated) return;
  const outgoing = await prepareSystemMessage(context, realm, notice);
  await context.store.of(realmId).write(async (tx) => {
    await sendPrepared(context, tx, { ...outgoing, alsoReadBy: notice.readBy }, notice.destination);
    await finish(tx);
  });
});

/** A notice and the topic it goes to. */
export interface Posted extends Omit<ReadNotice, 'destination'> {
  readonly channelId: ChannelId;
  readonly topic: string;
}

/** Queues notices for topics of channels; they are sent after the transaction commits. */
export function queueChannelNotices(tx: RealmWriteTx, notices: readonly Posted[]): Promise<void> {
  const jobs = notices.map(({ channelId, topic, ...notice }) => ({
    ...notice,
    destination: { channel: { id: channelId }, topic },
  }));
  return enqueueAll(tx, noticeJob, jobs);
}

/** Queues direct messages of a system bot, one for each person; they are sent after the transaction commits. */
export function queueDirectNotices(
  tx: RealmWriteTx,
  notices: readonly { readonly userId: UserId; readonly content: string }[],
  bot?: SystemBotName,
): Promise<void> {
  const jobs = notices.map(({ userId, content }) => ({
    destination: { people: { ids: [userId] } },
    content,
    readBy: [],
    ...(bot !== undefined && { bot }),
  }));
  return enqueueAll(tx, noticeJob, jobs);
}
