import { deriveKey } from '#kernel/auth';
import { repeat } from '#kernel/clock';
import type { Context } from '#kernel/context';
import type { RealmId } from '#kernel/ids';
import { setPushStatus } from '#features/realm-settings';
import { listRealms, readRealm, realmRefOf, type RealmRow, settingsOf } from '#features/realms';
import { FEATURE_LEVEL, VERSION } from '#features/server-version';
import { bool, dict, int, lenientObject, maybe, nullable, readAs } from '#kernel/schema';
import { askGateway, type GatewayAnswer, UNKNOWN_REALM } from '../gateway.ts';
import { countRoles, type RoleCount } from './queries.ts';

/** Milliseconds between two reports, and until the first. */
const EVERY_MS = 3_600_000;
const FIRST_MS = 5_000;

const known = lenientObject({ last_realmauditlog_id: maybe(int()) });
const taken = lenientObject({
  realms: maybe(dict(lenientObject({ can_push: bool(), expected_end_timestamp: maybe(nullable(int())) }))),
});

/** Times that a report is made while others overtake it. */
const TRIES = 3;

/**
 * Reports the organizations and their numbers of people to the push service, which accepts notifications only for
 * reported ones, and records for which of them it does. docs/push-gateway.md, "Reporting". Returns the first answer
 * that was no success, or the last.
 */
export async function reportToService(context: Context, tries = TRIES): Promise<GatewayAnswer> {
  const status = await askGateway(context, '/server/analytics/status');
  if (status.kind !== 'accepted') return status;
  const answer = await reportAfter(context, lastIdOf(status));
  if (answer.kind !== 'refused' || tries <= 1) return answer;
  // The service refuses a row that is not above its last, and another process may have reported in between.
  const now = await askGateway(context, '/server/analytics/status');
  return lastIdOf(now) > lastIdOf(status) ? reportToService(context, tries - 1) : answer;
}

/** The last row that the service has of this server. */
function lastIdOf(status: GatewayAnswer): number {
  return (status.kind === 'accepted' ? readAs(known, status.body)?.last_realmauditlog_id : undefined) ?? 0;
}

/** Reports rows after the last one that the service has. */
async function reportAfter(context: Context, lastId: number): Promise<GatewayAnswer> {
  const [realms, counts] = await context.store.read(
    async (tx) => [await listRealms(tx), await countRoles(tx)] as const,
  );
  const form = {
    realm_counts: '[]',
    installation_counts: '[]',
    realmauditlog_rows: JSON.stringify(
      realms.map((realm, index) => toCountRow(context, realm, counts, lastId + 1 + index)),
    ),
    realms: JSON.stringify(realms.map((realm) => describe(context, realm))),
    version: JSON.stringify(VERSION),
    merge_base: JSON.stringify(VERSION),
    api_feature_level: JSON.stringify(FEATURE_LEVEL),
  };
  const answer = await askGateway(context, '/server/analytics', { form });
  const found = answer.kind === 'accepted' ? (readAs(taken, answer.body)?.realms ?? {}) : {};
  // A query for each organization is fine, because they are few.
  for (const realm of realms) {
    const said = found[realm.uuid];
    if (said) await note(context, realm, { isTaken: said.can_push, endsAt: said.expected_end_timestamp ?? null });
  }
  return answer;
}

const reported = new WeakMap<Context['store'], number>();
/** Milliseconds during which one report suffices, however many requests fail for want of one. */
const ENOUGH_MS = 60_000;

/**
 * Reacts to a refusal: reports an organization that the service does not know, or records that it accepts nothing for
 * the organization.
 */
export async function handleRefusal(context: Context, realmId: RealmId, answer: GatewayAnswer): Promise<void> {
  if (answer.kind !== 'refused') return;
  if (answer.code === 'PUSH_NOTIFICATIONS_DISALLOWED') {
    const realm = await context.store.of(realmId).query((tx) => readRealm(tx));
    return note(context, realm, { isTaken: false, endsAt: null });
  }
  const nowMs = context.clock.monotonicMs();
  const lastMs = reported.get(context.store);
  if (answer.code !== UNKNOWN_REALM || (lastMs !== undefined && nowMs - lastMs < ENOUGH_MS)) return;
  reported.set(context.store, nowMs);
  await reportToService(context);
}

/** Records the service's status of an organization, if it changed. */
async function note(context: Context, realm: RealmRow, status: Parameters<typeof setPushStatus>[2]): Promise<void> {
  const before = settingsOf(realm);
  const isSame =
    before.push_notifications_enabled === status.isTaken &&
    before.push_notifications_enabled_end_timestamp === status.endsAt;
  if (!isSame) await setPushStatus(context, realmRefOf(realm, context.server), status);
}

/** An organization in the form of the service's reports. */
function describe(context: Context, realm: RealmRow) {
  const ref = realmRefOf(realm, context.server);
  return {
    id: realm.id,
    host: new URL(ref.url).host,
    url: ref.url,
    name: realm.name,
    org_type: settingsOf(realm).org_type,
    date_created: realm.date_created,
    deactivated: realm.is_deactivated,
    is_system_bot_realm: false,
    authentication_methods: {},
    uuid: realm.uuid,
    uuid_owner_secret: `zuliprealm_${deriveKey(context.server.secret, `push service:${realm.uuid}`)}`,
  };
}

/**
 * The number of people in the form of the service's reports: a row of the kind "a user was made", with the number of
 * each role.
 */
function toCountRow(context: Context, realm: RealmRow, counts: readonly RoleCount[], id: number) {
  const own = counts.filter((count) => count.realm_id === realm.id);
  const people: Readonly<Record<string, number>> = { '100': 0, '200': 0, '300': 0, '400': 0, '600': 0 };
  const humans = own.filter(({ is_bot }) => !is_bot).map(({ role, count }): [string, number] => [String(role), count]);
  const bots = own.filter(({ is_bot }) => is_bot).reduce((sum, { count }) => sum + count, 0);
  const extra_data = { '10': { '11': { ...people, ...Object.fromEntries(humans) }, '12': bots } };
  return { id, realm: realm.id, event_time: context.clock.now(), backfilled: false, extra_data, event_type: USER_MADE };
}

const USER_MADE = 101;

/** Reports periodically while the server runs. Several processes may do it at once. */
export function reportRegularly(context: Context): () => Promise<void> {
  if (!context.pushGateway) return async () => undefined;
  const failed = (error: unknown) => context.log.room('push').warn({ err: error }, 'the push service was told nothing');
  const report = async () => {
    const answer = await reportToService(context);
    if (answer.kind === 'refused')
      context.log
        .room('push')
        .warn({ status: answer.status, code: answer.code }, 'the push service refuses this server');
  };
  return repeat(context.clock, report, { everyMs: EVERY_MS, firstMs: FIRST_MS, failed });
}
