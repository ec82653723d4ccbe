import type { RealmRefWriteTx } from '#kernel/auth';
import { showsImage } from '#kernel/markdown';
import { findChannel } from '#features/channels';
import { recipientsOf, type MessageRow, setRendering } from '#features/messages';
import { messageUpdated } from './events.ts';
import { flagsOfAll, listRecipients } from './recipients.ts';

/**
 * Shows a message otherwise than before though it says the same: previews and thumbnails that came later. Tells those who
 * hold it; this is no edit. The log is locked. See protocol/events#update_message, rendering_only.
 */
export async function replaceRendering(
  tx: RealmRefWriteTx,
  message: MessageRow,
  rendered_content: string,
): Promise<void> {
  await setRendering(tx, message.id, { rendered_content, has_image: showsImage(rendered_content) });
  const channel = message.channel_id === null ? undefined : await findChannel(tx, message.channel_id);
  const audience = await recipientsOf(tx, [message]);
  const flags = await flagsOfAll(tx, message, await listRecipients(tx, channel, [message]));
  const { id, content, is_me_message } = message;
  const payload = {
    user_id: null,
    rendering_only: true,
    message_id: id,
    message_ids: [id],
    edit_timestamp: tx.now,
    content,
    rendered_content,
    is_me_message,
  };
  tx.emit(messageUpdated(tx.realmId, payload, { audience, flags }));
}
