import type { ChannelRow } from '#features/channels';
import type { Rendered } from '#features/rendering';
import type { UserRow } from '#features/users';
import type { ActorWriteTx } from '#kernel/auth';
import type { MessageId, UserId } from '#kernel/ids';
import { signal } from '#kernel/slice';
import type { ChannelAddress } from './address.ts';
import type { MessageRow } from './tables.ts';

/** A message that has just been stored, before its transaction ends. */
export interface Posted {
  /** The actor's account, as it was when the message was prepared. */
  readonly sender: UserRow;
  readonly message: MessageRow;
  /** Undefined for direct messages. */
  readonly channel: ChannelRow | undefined;
  /** Everybody in the conversation; undefined for messages of channels. */
  readonly people: readonly UserRow[] | undefined;
  /** Result of rendering the text: files it links to, pages to preview. */
  readonly rendered: Rendered;
  /** Receivers who are mentioned by name. */
  readonly mentionedUserIds: readonly UserId[];
  /**
   * Reports a new visibility policy of the topic for the sender: 2 unmuted, 3 followed. See protocol/messages#effects.
   */
  readonly setPolicy: (policy: 2 | 3) => void;
}

/** A message was sent. */
export const messagePosted = signal<Posted, ActorWriteTx>('message-posted');

/** A bot sent a message to a channel that does not exist or that it may not know of. */
export const channelMissed = signal<
  {
    readonly address: ChannelAddress;
  },
  ActorWriteTx
>('channel-missed');

/** Users have just read messages; the map has the messages of each. */
export const messagesRead = signal<{
  readonly read: ReadonlyMap<UserId, readonly MessageId[]>;
}>('messages-read');

/** Somebody reacted to, or took part in, a channel message without sending one. */
export const topicJoined = signal<
  {
    readonly message: MessageRow;
  },
  ActorWriteTx
>('topic-joined');
