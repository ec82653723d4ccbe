import type { ActorWriteTx } from '#kernel/auth';
import type { UserId } from '#kernel/ids';
import { signal } from '#kernel/slice';

/** The actor has muted a user just now. */
export const userMuted = signal<{ readonly mutedUserId: UserId }, ActorWriteTx>('user-muted');
