import { everyoneInRealm } from '#kernel/events';
import type { Context } from '#kernel/context';
import type { RealmWriteTx } from '#kernel/store';
import { presenceChanged } from './events.ts';
import type { Person } from './people.ts';
import type { Seen } from './rules.ts';

/** Emits the event about a presence. */
export function announce(
  context: Pick<Context, 'clock'>,
  tx: RealmWriteTx,
  person: Pick<Person, 'user_id' | 'email' | 'date_joined'>,
  seen: Seen,
): void {
  const { user_id, email, date_joined } = person;
  const { last_active_at, last_connected_at } = seen;
  const server_timestamp = context.clock.nowMs() / 1000;
  tx.emit(
    presenceChanged(
      { user_id, email, date_joined, last_active_at, last_connected_at, server_timestamp },
      { audience: everyoneInRealm },
    ),
  );
}
