import { on } from '#kernel/slice';
import { messagePosted, readerOf } from '#features/messages';
import { messagesErased } from '#features/message-edits';
import { claimAttachments, releaseAttachments } from '#features/uploads';

/** A message that was sent takes the files it links with it. See protocol/files#claims. */
export const claimingOnPost = on(messagePosted, async (_context, tx, { message, rendered }) => {
  const { id } = message;
  await claimAttachments(tx, tx.actor, { id, isNew: true }, rendered.attachmentPathIds, readerOf(tx));
});

/** Files go with the last message that uses them. See protocol/files#claims. */
export const releasingOnErase = on(messagesErased, (context, tx, { messageIds }) =>
  releaseAttachments(context, tx, messageIds),
);
