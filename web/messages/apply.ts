import type { AnyEvent } from '../model/index.ts';
import type { WireMessage } from '../../src/features/messages/wire.ts';

/** A message as the client stores it. */
export type Message = Omit<WireMessage, 'flags'> & { readonly flags: readonly string[] };

type Reaction = Message['reactions'][number];
type Submessage = Message['submessages'][number];

interface Update {
  readonly rendering_only: boolean;
  readonly user_id: number | null;
  readonly message_id: number;
  readonly message_ids: readonly number[];
  readonly edit_timestamp: number;
  readonly new_stream_id?: number;
  readonly subject?: string;
  readonly propagate_mode?: string;
  readonly topic_links?: Message['topic_links'];
  readonly rendered_content?: string;
  readonly is_me_message?: boolean;
  readonly flags: readonly string[];
}

/** Returns the IDs of the messages that an event is about; for a new message its own. */
export function messagesIn(event: AnyEvent): readonly number[] {
  switch (event.type) {
    case 'message':
      return [idOf(event['message'])];
    case 'update_message':
      return [...new Set([Number(event['message_id']), ...numbers(event['message_ids'])])];
    case 'delete_message':
      return numbers(event['message_ids']);
    case 'update_message_flags':
      return numbers(event['messages']);
    case 'reaction':
    case 'submessage':
      return [Number(event['message_id'])];
    default:
      return [];
  }
}

/** Returns a message after an event about it. Applying an event again changes nothing. */
export function changed(message: Message, event: AnyEvent): Message {
  // Events come from the wire; each case knows the event of its type.
  const wire = event as unknown as never;
  switch (event.type) {
    case 'update_message':
      return updated(message, wire);
    case 'update_message_flags':
      return flagged(message, wire);
    case 'reaction':
      return reacted(message, wire);
    case 'submessage':
      return extended(message, wire);
    default:
      return message;
  }
}

function updated(message: Message, update: Update): Message {
  const isMoved = update.propagate_mode !== undefined && update.message_ids.includes(message.id);
  const moved = isMoved ? { ...placeOf(update), last_moved_timestamp: update.edit_timestamp } : {};
  return { ...message, ...moved, ...(message.id === update.message_id && contentOf(update)) };
}

function placeOf({ new_stream_id, subject, topic_links }: Update): Partial<Message> {
  return {
    ...(new_stream_id !== undefined && ({ stream_id: new_stream_id } as Partial<Message>)),
    ...(subject !== undefined && { subject }),
    ...(topic_links && { topic_links }),
  };
}

function contentOf(update: Update): Partial<Message> {
  const { rendered_content, is_me_message, flags, rendering_only, edit_timestamp } = update;
  if (rendered_content === undefined) return {};
  return {
    content: rendered_content,
    flags,
    ...(is_me_message !== undefined && { is_me_message }),
    ...(!rendering_only && { last_edit_timestamp: edit_timestamp }),
  };
}

function flagged(message: Message, { op, flag }: { readonly op: 'add' | 'remove'; readonly flag: string }): Message {
  const others = message.flags.filter((one) => one !== flag);
  return { ...message, flags: op === 'add' ? [...others, flag] : others };
}

interface ReactionEvent extends Omit<Reaction, 'user'> {
  readonly op: 'add' | 'remove';
  readonly user: { readonly email: string; readonly full_name: string };
}

function reacted(message: Message, event: ReactionEvent): Message {
  const { op, emoji_name, emoji_code, reaction_type, user_id } = event;
  const isSame = (one: Reaction) =>
    one.user_id === user_id && one.emoji_code === emoji_code && one.reaction_type === reaction_type;
  const others = message.reactions.filter((one) => !isSame(one));
  if (op === 'remove') return { ...message, reactions: others };
  const { email, full_name } = event.user;
  const user = { id: user_id, email, full_name };
  return { ...message, reactions: [...others, { emoji_name, emoji_code, reaction_type, user_id, user }] };
}

function extended(message: Message, event: Submessage & { readonly submessage_id: number }): Message {
  const { submessage_id, sender_id, msg_type, content, message_id } = event;
  if (message.submessages.some((one) => one.id === submessage_id)) return message;
  const submessage = { id: submessage_id, message_id, sender_id, msg_type, content };
  return { ...message, submessages: [...message.submessages, submessage] };
}

function idOf(message: unknown): number {
  return typeof message === 'object' && message !== null && 'id' in message ? Number(message.id) : 0;
}

function numbers(value: unknown): readonly number[] {
  return Array.isArray(value) ? value.map(Number) : [];
}
