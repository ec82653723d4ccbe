import { apiEmail, findUsers, madeUpEmail, UNKNOWN_NAME } from '#features/users';
import type { RealmRef, RealmRefReadTx } from '#kernel/auth';
import type { UserId } from '#kernel/ids';
import type { Context } from '#kernel/context';
import type { Trigger } from '../rules.ts';

/** The contents of a notification about a message: the members of docs/push-gateway.md, "Decrypted". */
export interface PushContent {
  readonly realm_name: string;
  readonly realm_url: string;
  readonly user_id: UserId;
  readonly message_id: number;
  readonly time: number;
  readonly sender_id: UserId;
  readonly sender_full_name: string;
  readonly sender_avatar_url: string;
  readonly content: string;
  readonly recipient_type: 'direct' | 'channel';
  readonly recipient_user_ids?: readonly UserId[];
  readonly channel_id?: number;
  readonly channel_name?: string;
  readonly topic?: string;
  readonly mentioned_user_group_id?: number;
  readonly mentioned_user_group_name?: string;
}

/**
 * A notification for somebody's older apps, in the form of each manufacturer's service. docs/push-gateway.md, "Older
 * apps".
 */
export interface OlderPayload {
  readonly gcm_payload: Readonly<Record<string, unknown>>;
  readonly gcm_options: { readonly priority: 'high' | 'normal' };
  readonly apns_payload: object;
}

/** Additional contents of notifications for older apps. */
interface Older {
  readonly server: string;
  readonly realmId: number;
  readonly senderEmail: string;
  readonly hiddenEmail: string;
  /** Names of all people of a direct conversation. */
  readonly names: readonly string[];
}

/** The server and the organization as older apps expect them. */
function baseOf(
  { server, realmId }: Pick<Older, 'server' | 'realmId'>,
  push: Pick<PushContent, 'realm_name' | 'realm_url' | 'user_id'>,
) {
  const { realm_name, realm_url, user_id } = push;
  return { server, realm_id: realmId, realm_uri: realm_url, realm_url, realm_name, user_id };
}

/** The common members of notifications for older apps. */
export function olderBase(context: Pick<Context, 'server'>, realm: RealmRef, user_id: UserId) {
  const about = { server: new URL(context.server.externalUrl).host, realmId: realm.id };
  return baseOf(about, { realm_name: realm.name, realm_url: realm.url, user_id });
}

/** Reads the additional contents of notifications for older apps. */
export async function aboutOlder(
  context: Context,
  tx: RealmRefReadTx,
  { sender_id, recipient_user_ids = [] }: Pick<PushContent, 'sender_id' | 'recipient_user_ids'>,
): Promise<Older> {
  const host = tx.realm.host;
  const people = await findUsers(tx, [...new Set([sender_id, ...recipient_user_ids])]);
  const sender = people.get(sender_id);
  const hiddenEmail = madeUpEmail(sender_id, host);
  return {
    server: new URL(context.server.externalUrl).host,
    realmId: tx.realmId,
    senderEmail: sender ? apiEmail(sender, host) : hiddenEmail,
    hiddenEmail,
    names: recipient_user_ids.flatMap((id) => people.get(id)?.full_name ?? []),
  };
}

/** The notification about a message for older apps. */
export function olderShown(older: Older, push: PushContent, trigger: Trigger | undefined): OlderPayload {
  const { sender_id, time, sender_full_name, sender_avatar_url, message_id, content } = push;
  const group = push.mentioned_user_group_id !== undefined && {
    mentioned_user_group_id: push.mentioned_user_group_id,
    mentioned_user_group_name: push.mentioned_user_group_name,
  };
  const isHidden = sender_full_name === UNKNOWN_NAME;
  const sender = { sender_id, sender_email: isHidden ? older.hiddenEmail : older.senderEmail };
  const common = { ...baseOf(older, push), ...sender, time, ...group, ...placeOf(push) };
  const shown = { event: 'message', zulip_message_id: message_id, sender_full_name, sender_avatar_url };
  return {
    gcm_payload: { ...common, ...shown, content, content_truncated: content.endsWith('…') },
    gcm_options: { priority: 'high' },
    apns_payload: {
      alert: { title: titleOf(older, push), subtitle: subtitleOf(push, trigger), body: content },
      sound: 'default',
      badge: 0,
      custom: { zulip: { ...common, message_ids: [message_id] } },
    },
  };
}

/** The notification that removes messages from somebody's older apps. */
export function olderRemoved(base: ReturnType<typeof olderBase>, messageIds: readonly number[]): OlderPayload {
  const removal = { ...base, event: 'remove', zulip_message_ids: messageIds.join(',') };
  return {
    gcm_payload: { ...removal, zulip_message_id: messageIds[0] },
    gcm_options: { priority: 'normal' },
    apns_payload: { badge: 0, custom: { zulip: removal } },
  };
}

function placeOf({ recipient_user_ids, channel_id, channel_name, topic }: PushContent) {
  if (channel_id !== undefined) return { recipient_type: 'stream', stream: channel_name, stream_id: channel_id, topic };
  const people = recipient_user_ids ?? [];
  return { recipient_type: 'private', ...(people.length > 2 && { pm_users: people.join(',') }) };
}

/** The title on an iPhone. */
function titleOf({ names }: Older, { channel_name, topic, channel_id, sender_full_name }: PushContent): string {
  if (channel_id !== undefined) return `#${channel_name} > ${topic}`;
  return names.length > 2 ? names.toSorted().join(', ') : sender_full_name;
}

const FOR_ALL = /wildcard/;

/** The subtitle on an iPhone: who wrote it, and whether it mentions the reader. */
function subtitleOf(push: PushContent, trigger: Trigger | undefined): string {
  const { sender_full_name: name, mentioned_user_group_name: group, recipient_user_ids = [] } = push;
  if (trigger === 'mentioned') return group === undefined ? `${name} mentioned you:` : `${name} mentioned @${group}:`;
  if (trigger !== undefined && FOR_ALL.test(trigger)) return `${name} mentioned everyone:`;
  return push.recipient_type === 'direct' && recipient_user_ids.length <= 2 ? '' : `${name}:`;
}
