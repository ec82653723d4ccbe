import type { Message } from './apply.ts';

/** What the client needs of `GET /messages`. */
export interface MessageSource {
  range(query: {
    readonly narrow: readonly object[];
    readonly anchor: string;
    readonly num_before: number;
    readonly num_after: number;
  }): Promise<{
    readonly messages: readonly Message[];
    readonly anchor?: number | undefined;
    readonly found_oldest: boolean;
    readonly found_newest: boolean;
  }>;
  named(ids: readonly number[]): Promise<readonly Message[]>;
  /** Returns which of some messages match a narrow. */
  matching(narrow: readonly object[], ids: readonly number[]): Promise<readonly number[]>;
}
