import { defineJob } from '#kernel/jobs';
import type { ChannelId, UserId } from '#kernel/ids';
import type { Context } from '#kernel/context';
import type { RealmWriteTx } from '#kernel/store';
import { type Destination, prepareSystemMessage, sendPrepared } from '#features/messages';
import { readRealm, realmRefOf } from '#features/realms';
import type { SystemBotName } from '#features/users';

/** A message that a system bot is to send. */
interface Notice {
  readonly destination: Destination;
  readonly content: string;
  /** The notification bot unless said otherwise. */
  readonly bot?: SystemBotName;
  /** People for whom it is read from the start: they know what they did. */
  readonly readBy: readonly UserId[];
}

/** Sends a notice exactly once: the job ends in the transaction that stores the message. In an organization out of use nobody speaks. */
export const noticeJob = defineJob<Notice, Context>('notice', async (notice, { context, realmId, finish }) => {
  const realm = realmRefOf(await context.store.of(realmId).query((tx) => readRealm(tx)));
  if (realm.isDeactivated) return;
  const outgoing = await prepareSystemMessage(context, realm, notice.content, notice.bot);
  await context.store.of(realmId).write(async (tx) => {
    await sendPrepared(context, tx, { ...outgoing, alsoReadBy: notice.readBy }, notice.destination);
    await finish(tx);
  });
});

/** A notice and the channel's topic that it is for. */
export interface Posted extends Omit<Notice, 'destination'> {
  readonly channelId: ChannelId;
  readonly topic: string;
}

/** Has notices posted to topics of channels once this transaction is committed. */
export function postLater(context: Context, tx: RealmWriteTx, notices: readonly Posted[]): Promise<void> {
  const jobs = notices.map(({ channelId, topic, ...notice }) => ({
    ...notice,
    destination: { channel: { id: channelId }, topic },
  }));
  return context.jobs.enqueueAll(tx, noticeJob, jobs);
}

/** Has a system bot tell people something, each in a direct message, once this transaction is committed. */
export function tellLater(
  context: Context,
  tx: RealmWriteTx,
  told: readonly { readonly userId: UserId; readonly content: string }[],
  bot?: SystemBotName,
): Promise<void> {
  const jobs = told.map(({ userId, content }) => ({
    destination: { people: { ids: [userId] } },
    content,
    readBy: [],
    ...(bot !== undefined && { bot }),
  }));
  return context.jobs.enqueueAll(tx, noticeJob, jobs);
}
