import { SECONDS_PER_DAY } from '#kernel/clock';
import { float, int } from '#kernel/schema';
import { registerState, type StateContext } from '#kernel/state';
import { readRealm, settingsOf } from '#features/realms';
import { apiEmail } from '#features/users';
import { listPeoplePresences, type PersonPresence } from './queries.ts';
import { toLegacy, toModern } from './to-wire.ts';
import { type Presences, presences } from './wire.ts';

/** When everybody was last seen. See protocol/presence#reading-of-others. */
export const presenceState = registerState({
  fetchType: 'presence',
  isVolatile: true,
  source: 'protocol/presence#reading-of-others',
  fields: { presences, presence_last_update_id: int(), server_timestamp: float() },
  read: async (input) => {
    const server_timestamp = input.context.clock.nowMs() / 1000;
    if (!input.tx.actor) return { presences: {}, server_timestamp };
    const rows = await readPresences(input);
    return {
      presences: toPresences(input, rows),
      presence_last_update_id: rows.at(-1)?.update_id ?? -1,
      server_timestamp,
    };
  },
});

async function readPresences({ tx, request, context }: StateContext): Promise<readonly PersonPresence[]> {
  const days = request.presenceHistoryDays;
  if (days <= 0 || settingsOf(await readRealm(tx)).presence_disabled) return [];
  const rows = await listPeoplePresences(tx, Math.max(0, context.clock.now() - days * SECONDS_PER_DAY));
  return rows.filter((row) => !tx.actor?.viewer.hidden?.has(row.user_id));
}

function toPresences({ tx, view }: StateContext, rows: readonly PersonPresence[]): Presences {
  const host = tx.realm.host;
  const isModern = view.slim_presence || view.simplified_presence_events;
  const shown: Presences = {};
  for (const row of rows) {
    if (isModern) shown[row.user_id] = toModern(row, row.date_joined);
    else shown[apiEmail({ ...row, id: row.user_id, is_bot: false }, host)] = toLegacy(row);
  }
  return shown;
}
