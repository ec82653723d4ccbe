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

/** Messages of a topic were moved to another; `isWhole` if nothing visible stayed behind. */
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

/** The content of a message was changed; `message` is the message before. */
export const contentEdited = signal<
  {
    readonly message: MessageRow;
    readonly rendered: Rendered;
  },
  ActorWriteTx
>('content-edited');

/** Messages were deleted permanently. */
export const messagesErased = signal<{
  readonly messageIds: readonly MessageId[];
}>('messages-erased');
