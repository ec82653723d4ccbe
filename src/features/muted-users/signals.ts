import type { UserId } from '#kernel/ids';
import { signal } from '#kernel/slice';

/** A user has muted another just now. */
export const userMuted = signal<{
  readonly userId: UserId;
  readonly mutedUserId: UserId;
}>('user-muted');
