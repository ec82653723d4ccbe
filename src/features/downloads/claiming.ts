import { on } from '#kernel/slice';
import { messagePosted, readerOf } from '#features/messages';
import { messagesErased } from '#features/message-edits';
import { claimAttachments, releaseAttachments } from '#features/uploads';

/** A message that was sent takes the files it links with it. Contract operations 4.19, effects. */
export const claimingOnPost = on(messagePosted, async (_kit, tx, { realm, actor, message, rendered }) => {
  const { id } = message;
  await claimAttachments(tx, realm, actor, { id, isNew: true }, rendered.attachmentPathIds, readerOf(tx, realm, actor));
});

/** Files go with the last message that uses them. Contract decision 16. */
export const releasingOnErase = on(messagesErased, (kit, tx, { realm, messageIds }) =>
  releaseAttachments(kit, tx, realm.id, messageIds),
);
