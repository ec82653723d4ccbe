import type { Conversation } from '../model/index.ts';

/**
 * State of an unsent message. `waiting`: not sent yet. `sending`: sent, without a reply so far. `doubtful`: the reply
 * was lost, so it may or may not have been sent. `sent`: the server has it, but its event has not arrived yet.
 * `refused`: `reason` says why.
 */
export type OutboxStatus = 'waiting' | 'sending' | 'doubtful' | 'sent' | 'refused';

export interface OutboxEntry {
  /** Identifies the entry in the queue's events, and is the idempotency key of its sends; unique within the account. */
  readonly localId: string;
  readonly conversation: Conversation;
  /** Markdown, as it was typed. */
  readonly content: string;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  readonly status: OutboxStatus;
  /** The queue whose events will contain the message. */
  readonly queueId?: string;
  /** ID of the newest message known when it was sent: its own is larger. */
  readonly after?: number;
  /** ID of the message that was sent. */
  readonly messageId?: number;
  /** Why it was refused, in the server's words. */
  readonly reason?: string;
}
