import type { ActorWriteTx } from '#kernel/auth';
import type { ChannelRow } from '#features/channels';
import type { Audience } from '#kernel/events';
import type { UserId } from '#kernel/ids';
import type { Context } from '#kernel/context';
import { together } from '#kernel/store';
import { messageSent } from './events.ts';
import { insertFlags, insertGroupMentions, setNewestRead } from '../reading/index.ts';
import { type Mentions, mentionFlags } from './mentions.ts';
import type { Outgoing } from './outgoing.ts';
import {
  insertSubmessage,
  messagePosted,
  type MessageRow,
  type WireRecipient,
  type StoredFlag,
  type SubmessageRow,
  toFullMessage,
} from '../core/index.ts';
import { indexMessages } from '../search/index.ts';
import type { Sent } from './send.ts';

interface Delivery {
  readonly outgoing: Outgoing;
  readonly message: MessageRow;
  readonly place: WireRecipient;
  readonly channel: ChannelRow | undefined;
  readonly audience: Audience;
  readonly mentions: Mentions;
}

/**
 * Stores everything that belongs to a new message and emits its event; the work does not depend on the number of
 * recipients.
 */
export async function deliver(context: Context, tx: ActorWriteTx, delivery: Delivery): Promise<Sent> {
  const { outgoing, message, place, channel, audience, mentions } = delivery;
  const { sender, host, rendered, origin } = outgoing;
  const own = outgoing.isRead ? [tx.actor.userId] : [];
  const readers = [...new Set([...own, ...(outgoing.alsoReadBy ?? []), ...mentions.muting])];
  indexMessages(tx, [message]);
  let policy: Sent['policy'];
  const setPolicy = (chosen: 2 | 3) => {
    policy = chosen;
  };
  const mentionedUserIds = mentions.named;
  const people = 'people' in place ? place.people : undefined;
  const posted = { sender, message, channel, people, rendered, mentionedUserIds, setPolicy };
  const [submessages, marks] = await together([
    addWidget(tx, outgoing, message),
    mentionFlags(tx, outgoing, mentions),
    setNewestRead(tx, readers, message),
    insertFlags(tx, storedFlags(message, mentions)),
    insertGroupMentions(tx, message.id, [...rendered.mentionedGroupIds]),
    messagePosted.send(tx, posted, context),
  ]);
  const full = toFullMessage({ row: message, sender, place, realm: tx.realm, host, submessages });
  const flags = { ...(readers.length > 0 && { read: readers }), ...marks };
  // Events about the effects of sending come before the message event (protocol/events#order).
  tx.emit(messageSent({ message: full }, { audience, flags, ...(origin && { origin }) }));
  return { message, policy };
}

function storedFlags(message: MessageRow, mentions: Mentions) {
  const marked = (flag: StoredFlag, users: readonly UserId[]) =>
    users.map((user_id) => ({ user_id, message_id: message.id, flag }));
  return [
    ...marked('mentioned', mentions.named),
    ...marked('delivered', mentions.delivered),
    ...marked('topic_wildcard_mentioned', mentions.topic),
    ...marked('has_alert_word', mentions.alerted),
  ];
}

/** Stores a widget as the message's first part. See protocol/reactions#widgets. */
async function addWidget(
  tx: ActorWriteTx,
  { widget }: Outgoing,
  message: MessageRow,
): Promise<readonly SubmessageRow[]> {
  if (!widget) return [];
  const row = { realm_id: tx.realmId, message_id: message.id, sender_id: tx.actor.userId, msg_type: 'widget' };
  return [await insertSubmessage(tx, { ...row, content: JSON.stringify(widget) })];
}
