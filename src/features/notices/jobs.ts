import { defineJob } from '#kernel/jobs';
import type { ChannelId, RealmId, UserId } from '#kernel/ids';
import type { Kit } from '#kernel/kit';
import type { WriteTx } from '#kernel/store';
import { type Destination, prepareSystemMessage, sendPrepared } from '#features/messages';
import { readRealm, realmRefOf } from '#features/realms';

/** A message the notification bot is to send. */
interface Notice {
  readonly destination: Destination;
  readonly content: string;
  /** People for whom it is read from the start: they know what they did. */
  readonly readBy: readonly UserId[];
}

/** Sends a notice exactly once: the job ends in the transaction that stores the message. In an organization out of use nobody speaks. */
export const noticeJob = defineJob<Notice, Kit>('notice', async (notice, { kit, realmId, finish }) => {
  const realm = realmRefOf(await kit.store.query((tx) => readRealm(tx, realmId)));
  if (realm.isDeactivated) return;
  const outgoing = await prepareSystemMessage(kit, realm, notice.content);
  await kit.store.write(async (tx) => {
    await sendPrepared(kit, tx, { ...outgoing, alsoReadBy: notice.readBy }, notice.destination);
    await finish(tx);
  });
});

/** Has a notice posted to a channel's topic once this transaction is committed. */
export function postLater(
  kit: Kit,
  tx: WriteTx,
  realmId: RealmId,
  place: { readonly channelId: ChannelId; readonly topic: string },
  notice: Pick<Notice, 'content' | 'readBy'>,
): Promise<void> {
  const destination = { channel: { id: place.channelId }, topic: place.topic };
  return kit.jobs.enqueue(tx, realmId, noticeJob, { ...notice, destination });
}

/** Has a notice sent to one person once this transaction is committed. */
export function tellLater(kit: Kit, tx: WriteTx, realmId: RealmId, userId: UserId, content: string): Promise<void> {
  return kit.jobs.enqueue(tx, realmId, noticeJob, { destination: { people: { ids: [userId] } }, content, readBy: [] });
}
