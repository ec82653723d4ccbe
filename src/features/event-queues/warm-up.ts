import type { Context } from '#kernel/context';
import type { SyncedState } from '#kernel/state';
import { listRealms, realmRefOf } from '#features/realms';
import { actorOf, findAnyMember } from '#features/users';
import { IDLE_SECONDS, readState, viewOf } from './register.ts';
import type { Registration } from './state-parts.ts';
import { ofRealm } from '#kernel/store';

/** The parameters of clients that show everything. */
const REGISTRATION: Registration = {
  view: viewOf(
    { apply_markdown: true, client_gravatar: true, slim_presence: true, include_subscribers: 'partial' },
    { notification_settings_null: true },
  ),
  event_types: null,
  fetch_event_types: null,
  narrow: [],
  all_public_streams: false,
  idle_seconds: IDLE_SECONDS,
  presence_history_limit_days: 14,
};

/**
 * Reads once what a member's registration reads, so that the first one after a start finds the code compiled, the
 * statements prepared, and the shared state of the oldest organization cached. Decision 0014.
 */
export async function warmUp(context: Context, states: readonly SyncedState[]): Promise<void> {
  if (context.server.mode !== 'production') return;
  try {
    const found = await context.store.query(async (tx) => {
      const row = (await listRealms(tx)).find(({ is_deactivated }) => !is_deactivated);
      const member = row && (await findAnyMember(ofRealm(tx, row.id)));
      return member && { realm: realmRefOf(row, context.server), member };
    });
    if (!found) return;
    const { realm, member } = found;
    const actor = { ...actorOf(member, realm, context.clock.now()), client: '' };
    await readState({ context, states, realm, actor, registration: REGISTRATION });
  } catch (error) {
    // Not thrown: the first client that registers gets the same error.
    context.log.room('register').warn({ err: error }, 'the warm-up before the first registration failed');
  }
}
