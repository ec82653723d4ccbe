import { lockLog } from '#kernel/events';
import { asId, type MessageId, type RealmId } from '#kernel/ids';
import { defineJob, enqueue } from '#kernel/jobs';
import type { Context } from '#kernel/context';
import { exchangeThumbnails, pendingIn } from '#kernel/markdown';
import { on } from '#kernel/slice';
import type { RealmWriteTx } from '#kernel/store';
import { contentEdited, replaceRendering } from '#features/message-edits';
import { findMessages, messagePosted, type MessageRow } from '#features/messages';
import { withRealm } from '#features/realms';
import { type AttachmentRow, findAttachmentsByPath, listUses, thumbnailsMade, toUploadFacts } from '#features/uploads';

/** Messages that are looked for at a time. */
const BATCH = 500;

/** Puts thumbnails into a message that was rendered before they were made. See protocol/markdown#images-from-links. */
export const showThumbnails = defineJob<{ message_id: MessageId }, Context>(
  'show-thumbnails',
  ({ message_id }, { context, realmId }) => showIn(context, realmId, message_id),
);

/** Puts the thumbnails of a file into all messages that wait for them; one short transaction for each. */
export const showThumbnailsEverywhere = defineJob<{ id: AttachmentRow['id'] }, Context>(
  'show-thumbnails-everywhere',
  async ({ id }, { context, realmId }) => {
    for (let after = asId<MessageId>(0), isMore = true; isMore; ) {
      const uses = await context.store.of(realmId).query((tx) => listUses(tx, id, after, BATCH));
      for (const message_id of uses) await showIn(context, realmId, message_id);
      after = uses.at(-1) ?? after;
      isMore = uses.length === BATCH;
    }
  },
);

async function showIn(context: Context, realmId: RealmId, id: MessageId): Promise<void> {
  const isWaiting = await context.store.of(realmId).query(async (tx) => {
    const [message] = await findMessages(tx, [id]);
    return message !== undefined && pendingIn(message.rendered_content).length > 0;
  });
  if (!isWaiting) return;
  await context.store.of(realmId).write(async (tx) => {
    await lockLog(tx);
    const [message] = await findMessages(tx, [id]);
    const files = message && (await findAttachmentsByPath(tx, pendingIn(message.rendered_content)));
    const html = message && exchangeThumbnails(message.rendered_content, (files ?? []).map(toUploadFacts));
    if (!message || html === undefined || html === message.rendered_content) return;
    await replaceRendering(await withRealm(context, tx), message, html);
  });
}

/** Queues a file's thumbnails for all messages that wait for them. */
export const showingWhenMade = on(thumbnailsMade, (tx, { id }) => enqueue(tx, showThumbnailsEverywhere, { id }));

// Thumbnails may be made between the rendering of a message and its commit, when the waiting message cannot be found yet.
// So each message that waits for thumbnails looks for them once, after its commit.
export const showingWhenPosted = on(messagePosted, showLater);
export const showingWhenEdited = on(contentEdited, showLater);

interface Waiting {
  readonly message: Pick<MessageRow, 'id'>;
  readonly rendered: { readonly pendingThumbnails: readonly string[] };
}

function showLater(tx: RealmWriteTx, { message, rendered }: Waiting): Promise<void> | undefined {
  if (rendered.pendingThumbnails.length === 0) return undefined;
  return enqueue(tx, showThumbnails, { message_id: message.id });
}
