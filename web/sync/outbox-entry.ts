import type { Conversation } from '../model/index.ts';

/**
 * A message on its way. `waiting`: not sent yet. `sending`: sent, and no answer yet. `doubtful`: the answer was lost, so it may or
 * may not have been sent. `sent`: the server has it, and its event has not come yet. `refused`: the server's sentence says why.
 */
export type OutboxStatus = 'waiting' | 'sending' | 'doubtful' | 'sent' | 'refused';

export interface OutboxEntry {
  /** Names it in the queue's events; unique within the account. */
  readonly localId: string;
  readonly conversation: Conversation;
  /** Markdown, as it was typed. */
  readonly content: string;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  readonly status: OutboxStatus;
  /** The queue whose events will show it. */
  readonly queueId?: string;
  /** The message that it became. */
  readonly messageId?: number;
  /** Why it was refused, in the server's words. */
  readonly reason?: string;
}
