import { messagesErased } from '#features/message-edits';
import { messagePosted, readerOf } from '#features/messages';
import { readRealm, settingsOf } from '#features/realms';
import {
  type AttachmentRow,
  claimAttachments,
  findAttachmentsByPath,
  releaseAttachments,
  usedInReadable,
} from '#features/uploads';
import type { ActorWriteTx, CallerReadTx } from '#kernel/auth';
import type { ReadContext } from '#kernel/context';
import type { MessageId } from '#kernel/ids';
import { on } from '#kernel/slice';
import type { RealmReadTx } from '#kernel/store';

/** The reply to a request for a file: the file, or why it is refused. */
type Outcome = { readonly file: AttachmentRow } | { readonly refused: 'gone' | 'forbidden' };

/**
 * Returns a file if the caller may open it: its owner may, and everybody who may read a message that links it. A null
 * actor is a spectator. See protocol/files#access.
 */
export async function accessFile(
  tx: CallerReadTx,
  context: Pick<ReadContext, 'server'>,
  pathId: string,
): Promise<Outcome> {
  const { actor } = tx;
  // Files of other organizations get the same reply whether they exist or not.
  if (!pathId.startsWith(`${tx.realmId}/`)) return { refused: 'forbidden' };
  const [file] = await findAttachmentsByPath(tx, [pathId]);
  if (!file) return { refused: 'gone' };
  if (actor && file.owner_id === actor.userId) return { file };
  if (!actor && !(await admitsSpectators(tx, context))) return { refused: 'forbidden' };
  const open = await usedInReadable(tx, [file.id], readerOf(tx));
  return open.has(file.id) ? { file } : { refused: 'forbidden' };
}

/** Whether spectators may read web-public channels. */
async function admitsSpectators(tx: RealmReadTx, context: Pick<ReadContext, 'server'>): Promise<boolean> {
  return context.server.webPublicChannels && settingsOf(await readRealm(tx)).enable_spectator_access;
}

/** A message that is sent claims the files it links. See protocol/files#claims. */
export const claimingOnPost = on(messagePosted, (tx, { message: { id }, rendered: { attachmentPathIds } }) =>
  attachmentPathIds.length === 0 ? undefined : claim(tx, id, attachmentPathIds),
);

async function claim(tx: ActorWriteTx, id: MessageId, pathIds: readonly string[]): Promise<void> {
  await claimAttachments(tx, { id, isNew: true, pathIds }, readerOf(tx));
}

/** Files are deleted with the last message that links them. See protocol/files#claims. */
export const releasingOnErase = on(messagesErased, (tx, { messageIds }) => releaseAttachments(tx, messageIds));
