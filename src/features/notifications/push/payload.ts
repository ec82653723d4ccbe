import { aboutRealm } from '#features/push-devices';
import { findChannels } from '#features/channels';
import { findGroups, membersOf } from '#features/groups';
import { groupMentionsOf, recipientsOf, type MessageRow, usersWithFlags } from '#features/messages';
import { readRealm, settingsOf } from '#features/realms';
import {
  avatarUrl,
  findUsers,
  guestsAmong,
  knows,
  readVisibility,
  UNKNOWN_AVATAR,
  UNKNOWN_NAME,
} from '#features/users';
import type { RealmRefReadTx } from '#kernel/auth';
import type { GroupId, UserId } from '#kernel/ids';
import type { Context } from '#kernel/context';
import type { RealmReadTx } from '#kernel/store';
import { truncate } from '#kernel/text';
import { readWords } from '../message-words.ts';
import type { Trigger } from '../rules.ts';
import { aboutOlder, olderShown } from './older.ts';

/** Most code points of a message in a notification. docs/push-gateway.md. */
const MAX_CONTENT = 200;
/** Text for the push service if the organization lets only apps with a key show content. */
const NOT_SHOWN = 'New message';

/** Builds the contents of a notification for one person, with the reason. docs/push-gateway.md. */
type Tell = (userId: UserId, trigger: Trigger | undefined) => object;

/** Owners of the notified phones, and whether the push service can read the notification. */
interface Hearers {
  readonly owners: readonly UserId[];
  readonly isOpen: boolean;
}

/** Reads the contents of notifications about a message. */
export async function readPushContent(
  context: Context,
  tx: RealmRefReadTx,
  message: MessageRow,
  { owners, isOpen }: Hearers,
): Promise<Tell> {
  const isHidden = isOpen && settingsOf(await readRealm(tx)).require_e2ee_push_notifications;
  const text = isHidden ? NOT_SHOWN : (await readWords(tx, [message]))(message);
  const common = {
    type: 'message' as const,
    ...aboutRealm(tx.realm),
    message_id: message.id,
    time: message.sent_at,
    sender_id: message.sender_id,
    content: truncate(text, MAX_CONTENT, '…'),
    ...(await placeOf(tx, message)),
  };
  const senderFor = await readSender(tx, message, owners);
  const groupFor = await readGroups(tx, message);
  const tell = (user_id: UserId, trigger: Trigger | undefined) => ({
    ...common,
    user_id,
    ...senderFor(user_id),
    ...(trigger === 'mentioned' && groupFor(user_id)),
  });
  if (!isOpen) return tell;
  const older = await aboutOlder(context, tx, common);
  return (user_id, trigger) => olderShown(older, tell(user_id, trigger), trigger);
}

/** A sender as the reader may see them. */
interface Sender {
  readonly sender_full_name: string;
  readonly sender_avatar_url: string;
}

/** Reads the sender as each owner may see them. See protocol/users#visibility. */
async function readSender(
  tx: RealmRefReadTx,
  { sender_id }: MessageRow,
  owners: readonly UserId[],
): Promise<(userId: UserId) => Sender> {
  const people = await findUsers(tx, [...new Set([sender_id, ...owners])]);
  const visibility = await readVisibility(tx, guestsAmong(tx.realm, [...people.values()]));
  const sender = people.get(sender_id);
  const absolute = (address: string) => (address.startsWith('/') ? tx.realm.url + address : address);
  const avatar = sender ? (avatarUrl(sender, { mayBeNull: false }) ?? '') : '';
  const known = { sender_full_name: sender?.full_name ?? '', sender_avatar_url: absolute(avatar) };
  const unknown = { sender_full_name: UNKNOWN_NAME, sender_avatar_url: absolute(UNKNOWN_AVATAR) };
  return (userId) => (sender && !knows(visibility, userId, sender) ? unknown : known);
}

async function placeOf(tx: RealmReadTx, message: MessageRow) {
  if (message.channel_id === null) {
    const { users = [] } = await recipientsOf(tx, [message]);
    return { recipient_type: 'direct' as const, recipient_user_ids: users.toSorted((a, b) => a - b) };
  }
  const channel = (await findChannels(tx, [message.channel_id])).get(message.channel_id);
  const place = { channel_id: message.channel_id, channel_name: channel?.name ?? '', topic: message.topic };
  return { recipient_type: 'channel' as const, ...place };
}

interface GroupMention {
  readonly mentioned_user_group_id: GroupId;
  readonly mentioned_user_group_name: string;
}

/** Reads the group through which each user was mentioned, unless they were mentioned by name. */
async function readGroups(tx: RealmRefReadTx, message: MessageRow): Promise<(userId: UserId) => Partial<GroupMention>> {
  if (!message.mentions_groups) return () => ({});
  const flags = await usersWithFlags(tx, ['mentioned'], [message.id]);
  const named = new Set(flags.map(({ user_id }) => user_id));
  const mentioned = (await groupMentionsOf(tx, [message.id])).get(message.id) ?? [];
  const groups = await findGroups(tx, mentioned);
  const members = new Map<UserId, GroupMention>();
  // A query for each group is fine, because a message mentions few groups.
  for (const { id, name } of groups.values()) {
    const mention = { mentioned_user_group_id: id, mentioned_user_group_name: name };
    for (const user of await membersOf(tx, [id])) if (!members.has(user)) members.set(user, mention);
  }
  return (userId) => (named.has(userId) ? {} : (members.get(userId) ?? {}));
}
