import type { Actor } from '#kernel/auth';
import { lockLog } from '#kernel/events';
import type { MessageId } from '#kernel/ids';
import type { Context } from '#kernel/context';
import { parseJson } from '#kernel/text';
import { accessMessage, insertSubmessage, measureParts, readWidget } from '../core/index.ts';
import { noteParticipation, recipientsOf } from '../reading/index.ts';
import { SubmessageNotJson, SubmessageRefused } from './errors.ts';
import { submessageAdded } from './events.ts';
import { assertRoomForPart, assertWidgetData, widgetTypeOf } from './rules.ts';

/**
 * Adds a part to a poll or a to-do list, or turns the author's message into a form. See protocol/reactions#submessages.
 */
export async function addSubmessage(
  context: Context,
  actor: Actor,
  input: { readonly message_id: MessageId; readonly msg_type: string; readonly content: string },
): Promise<void> {
  const { message_id, msg_type } = input;
  await context.store.as(actor).write(async (tx) => {
    await lockLog(tx);
    const message = await accessMessage(tx, message_id);
    const isAuthor = message.sender_id === actor.userId;
    const { first, ...amounts } = await measureParts(tx, message_id, actor.userId);
    if (first === undefined && !isAuthor) throw SubmessageRefused();
    const data = parseJson(input.content);
    if (data === undefined) throw SubmessageNotJson();
    if (first !== undefined) assertWidgetData(widgetTypeOf(first), data, isAuthor);
    const content = first !== undefined ? input.content : JSON.stringify(readWidget(data));
    assertRoomForPart(amounts, content);
    const row = await insertSubmessage(tx, {
      realm_id: actor.realmId,
      message_id,
      sender_id: actor.userId,
      msg_type,
      content,
    });
    await noteParticipation(context, tx, message);
    const payload = { msg_type, content, message_id, sender_id: actor.userId, submessage_id: row.id };
    tx.emit(submessageAdded(payload, { audience: await recipientsOf(tx, [message]) }));
  });
}
