import type { ChannelRow } from '#features/channels';
import type { MessageRow } from '#features/messages';
import type { Rendered } from '#features/rendering';
import type { ActorWriteTx } from '#kernel/auth';
import type { MessageId } from '#kernel/ids';
import { signal } from '#kernel/slice';

/** A topic of a channel. */
export interface TopicPlace {
  readonly channel: ChannelRow;
  readonly topic: string;
}

/** Messages of a topic were given another; `isWhole` when nothing visible stayed behind. */
export const topicMoved = signal<
  {
    readonly from: TopicPlace;
    readonly to: TopicPlace;
    readonly isWhole: boolean;
    /** Whether the new topic had messages before. */
    readonly targetHadMessages: boolean;
  },
  ActorWriteTx
>('topic-moved');

/** A message was given another content; `message` is what it was before. */
export const contentEdited = signal<
  {
    readonly message: MessageRow;
    readonly rendered: Rendered;
  },
  ActorWriteTx
>('content-edited');

/** Messages are gone for good. */
export const messagesErased = signal<{
  readonly messageIds: readonly MessageId[];
}>('messages-erased');
