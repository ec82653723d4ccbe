import type { ChannelRow } from '#features/channels';
import { apiEmail, avatarUrl, madeUpEmail, UNKNOWN_AVATAR, UNKNOWN_NAME, type UserRow } from '#features/users';
import type { RealmRef } from '#kernel/auth';
import type { Hidden } from '#kernel/events';
import type { UserId } from '#kernel/ids';
import { type FullMessage, type MessageForm, toWireMessage, type WireMessage } from '../wire.ts';
import type { ReactionRow } from './reactions/tables.ts';
import type { MessageRow, SubmessageRow } from './tables.ts';

/** The place of a message as clients see it: its channel or its people. */
export type WireRecipient =
  | { readonly channel: Pick<ChannelRow, 'id' | 'name'> }
  | { readonly people: readonly UserRow[] };

interface Parts {
  readonly row: MessageRow;
  readonly sender: UserRow;
  readonly place: WireRecipient;
  readonly realm: RealmRef;
  readonly host: string;
  readonly submessages: readonly SubmessageRow[];
  /** Reactions with their users; absent for a new message. */
  readonly reactions?: readonly { readonly reaction: ReactionRow; readonly user: UserRow }[];
}

/** Builds the full form of a message. */
export function toFullMessage({ row, sender, place, realm, host, submessages, reactions = [] }: Parts): FullMessage {
  const avatar = avatarUrl(sender, { mayBeNull: false });
  return {
    id: row.id,
    sender_id: row.sender_id,
    sender_email: apiEmail(sender, host),
    sender_full_name: sender.full_name,
    sender_realm_str: realm.subdomain,
    recipient_id: row.recipient_id,
    ...placeFields(place, host),
    subject: row.topic,
    timestamp: row.sent_at,
    client: row.client,
    is_me_message: row.is_me_message,
    topic_links: [...row.topic_links],
    reactions: reactions.map(({ reaction, user }) => toWireReaction(reaction, toReactor(user, host))),
    submessages: submessages.map(toWirePart),
    ...(row.last_edit_at !== null && { last_edit_timestamp: row.last_edit_at }),
    ...(row.last_moved_at !== null && { last_moved_timestamp: row.last_moved_at }),
    ...editsOf(row),
    content: row.content,
    rendered_content: row.rendered_content,
    avatar_url: avatar,
    gravatar_hidden: avatarUrl(sender, { mayBeNull: true }) === null,
  };
}

type WireReaction = FullMessage['reactions'][number];

/** Somebody who has reacted to a message. */
export type Reactor = WireReaction['user'];

export function toReactor(user: UserRow, host: string): Reactor {
  return { id: user.id, email: apiEmail(user, host), full_name: user.full_name };
}

export function toWireReaction(
  { emoji_name, emoji_code, reaction_type, user_id }: ReactionRow,
  user: Reactor,
): WireReaction {
  return { emoji_name, emoji_code, reaction_type, user_id, user };
}

/** A part of a widget. */
export function toWirePart({ id, message_id, sender_id, msg_type, content }: SubmessageRow) {
  return { id, message_id, sender_id, msg_type, content };
}

/** The earlier versions of a message; of many that were not read one entry that says only that it was changed, and when. */
function editsOf({ edit_history, last_edit_at, last_moved_at }: MessageRow): Pick<FullMessage, 'edit_history'> {
  if (edit_history && edit_history.length > 0) return { edit_history: [...edit_history] };
  const timestamp = last_edit_at ?? last_moved_at;
  if (!edit_history || timestamp === null) return {};
  // Phones take a message for edited if an entry has a former text.
  const former = last_edit_at !== null && { prev_content: '', prev_rendered_content: '' };
  return { edit_history: [{ user_id: null, timestamp, ...former }] };
}

function placeFields(place: WireRecipient, host: string) {
  if ('channel' in place)
    return { type: 'stream' as const, stream_id: place.channel.id, display_recipient: place.channel.name };
  const people = place.people.toSorted((a, b) => a.id - b.id);
  return { type: 'private' as const, display_recipient: people.map((person) => toPerson(person, host)) };
}

function toPerson(
  row: UserRow,
  host: string,
): { id: UserId; email: string; full_name: string; is_mirror_dummy: false } {
  return { id: row.id, email: apiEmail(row, host), full_name: row.full_name, is_mirror_dummy: false };
}

/**
 * Converts a message to the form that a client asked for; users whom the reader may not know of are hidden. See
 * protocol/events#forms.
 */
export function toSeenMessage(message: FullMessage, form: MessageForm, hidden: Hidden | undefined): WireMessage {
  const shown = toWireMessage(message, form);
  if (!hidden) return shown;
  const { display_recipient, reactions } = shown;
  return {
    ...shown,
    reactions: reactions.map((one) => ({ ...one, user: toSeenReactor(one.user, hidden) })),
    ...(hidden.has(message.sender_id) && unknownSender(message.sender_id, hidden)),
    ...(typeof display_recipient !== 'string' && {
      display_recipient: display_recipient.map((one) =>
        hidden.has(one.id) ? { ...one, ...unknown(one.id, hidden) } : one,
      ),
    }),
  };
}

/** Somebody who has reacted, as one reader sees them. */
export function toSeenReactor(user: Reactor, hidden: Hidden | undefined): Reactor {
  return hidden?.has(user.id) === true ? { ...user, ...unknown(user.id, hidden) } : user;
}

function unknownSender(id: UserId, hidden: Hidden) {
  const { email, full_name } = unknown(id, hidden);
  return { sender_email: email, sender_full_name: full_name, avatar_url: UNKNOWN_AVATAR };
}

function unknown(id: UserId, { host }: Hidden) {
  return { email: madeUpEmail(id, host), full_name: UNKNOWN_NAME };
}
