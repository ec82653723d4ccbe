import { existsSync, readFileSync } from 'node:fs';
import { auditKeyOf, checkChain } from '#kernel/audit';
import { systemClock, SECONDS_PER_DAY } from '#kernel/clock';
import { type Config, dataPaths } from '#kernel/config';
import { countJobs, type JobCounts } from '#kernel/jobs';
import { OLDEST_POSTGRES, openStore, postgresVersion, readSchema, type Store } from '#kernel/store';
import { migrations } from '../../migrations/index.ts';
import { isOver, listFailures } from '#features/mails';
import { listRealms } from '#features/realms';
import { countUndelivered, REPORTED_DAYS, type UndeliveredRoad } from '#features/undelivered';
import { type Finding, failed, note, ok } from './finding.ts';
import { sentInFuture } from '../newest-message.ts';
import { passkeyFindings } from './passkeys.ts';
import { maintenanceEnd, maintenanceFinding, POSTGRES_ENDS } from './maintenance.ts';

/** Largest difference between two clocks, in milliseconds. */
const MAX_SKEW_MS = 5_000;
/** Seconds that a due job may wait; longer means that no process runs jobs. */
const MAX_OVERDUE_SECONDS = 600;
/** Seconds for which a job that was given up is reported. */
const GIVEN_UP_SECONDS = SECONDS_PER_DAY;
/** Most reasons that are reported for undelivered notifications, the most frequent ones. */
const MAX_REASONS = 20;
const ROAD_NAMES: Readonly<Record<UndeliveredRoad, string>> = {
  phone: 'phones',
  older_phone: 'phones with older apps',
  web: 'browsers',
  unifiedpush: 'apps of UnifiedPush',
  mail: 'mail',
};

/** Checks the database: connection, schema, integrity, clock, jobs. */
export async function checkDatabase(config: Config): Promise<Finding[]> {
  const { databaseUrl, dataDir, secret: configured } = config;
  const { database: file } = dataPaths(dataDir);
  if (databaseUrl === undefined && !existsSync(file))
    return [note('database', `there is none in ${dataDir} yet: the first start makes it`)];
  const store = await openStore({ url: databaseUrl, file, clock: systemClock, poolSize: 1, readOnly: true });
  try {
    const schema = await schemaFinding(store);
    const findings = [ok('database', databaseUrl === undefined ? `SQLite, ${file}` : 'PostgreSQL answers'), schema];
    if (databaseUrl === undefined) findings.push(await integrityFinding(store));
    else findings.push(await timeFinding(store), ...(await versionFindings(store)));
    if (schema.state !== 'ok') return findings;
    // Only PostgreSQL has a clock of its own to compare with.
    if (databaseUrl === undefined) findings.push(await newestFinding(store));
    return [
      ...findings,
      ...(await jobFindings(store)),
      ...(await undeliveredFindings(store)),
      ...(await auditFindings(store, secretKey(configured, dataDir))),
      ...(await passkeyFindings(store, config)),
      ...(await bounceFindings(store)),
    ];
  } finally {
    await store.close();
  }
}

async function schemaFinding(store: Store): Promise<Finding> {
  const { applied, missing, unknown } = await readSchema(store, migrations);
  if (unknown.length > 0) return failed('schema', `of a newer release of Roost: ${unknown.join(', ')}`);
  if (applied.length === 0) return note('schema', 'the database is empty: the first start makes its tables');
  if (missing.length === 0) return ok('schema', `up to date (${applied.length} migrations)`);
  return failed('schema', `migrations to apply: ${missing.length}; start the server, or run roost migrate`);
}

async function integrityFinding(store: Store): Promise<Finding> {
  const { rows } = await store.query((tx) => tx.dialect.faults.execute(tx.db));
  const [first] = rows;
  return first ? failed('integrity', `the database is damaged: ${first.fault}`) : ok('integrity', 'no fault found');
}

async function timeFinding(store: Store): Promise<Finding> {
  const before = systemClock.nowMs();
  const { rows } = await store.query((tx) => tx.dialect.clock.execute(tx.db));
  const between = (before + systemClock.nowMs()) / 2;
  const seconds = ((rows[0]?.now_ms ?? 0) - between) / 1000;
  const says = `the database's clock is ${Math.abs(seconds).toFixed(1)} s ${seconds < 0 ? 'behind' : 'ahead of'} ours`;
  return Math.abs(seconds) * 1000 > MAX_SKEW_MS ? failed('clock', says) : ok('clock', says);
}

/** Checks that the newest message is not in the future: otherwise the clock is wrong, or was. */
async function newestFinding(store: Store): Promise<Finding> {
  const newest = await sentInFuture(store, systemClock.now());
  if (newest === undefined) return ok('clock', 'no message is newer than now');
  const [then, now] = [newest, systemClock.now()].map((time) => new Date(time * 1000).toISOString());
  return failed('clock', `the newest message is of ${then}, and this machine says that it is ${now}`);
}

/** Older versions than the server accepts fail earlier; this finds those that get no fixes any more. */
async function versionFindings(store: Store): Promise<Finding[]> {
  const version = (await postgresVersion(store)) ?? 0;
  if (version < OLDEST_POSTGRES)
    return [failed('postgresql', `${version} is too old; ${OLDEST_POSTGRES} or newer is needed`)];
  const end = maintenanceEnd(POSTGRES_ENDS, version);
  return [maintenanceFinding('postgresql', String(version), end)];
}

async function jobFindings(store: Store): Promise<Finding[]> {
  const counts = await store.query((tx) => countJobs(tx));
  const refused = counts.refused > 0 ? [note('jobs refused', `${counts.refused}: roost jobs list`)] : [];
  return [waitingFinding(counts), givenUpFinding(counts), ...refused];
}

function waitingFinding({ waiting, due, due_since }: JobCounts): Finding {
  const seconds = due_since === null ? 0 : systemClock.now() - due_since;
  const says = `${waiting} waiting, ${due} due`;
  if (seconds <= MAX_OVERDUE_SECONDS) return ok('jobs', says);
  return failed('jobs', `${says}, the oldest for ${Math.round(seconds / 60)} minutes: does a server run?`);
}

function givenUpFinding({ given_up, last_given_up }: JobCounts): Finding {
  if (last_given_up === null) return ok('jobs given up', 'none');
  const says = `${given_up}, the last at ${new Date(last_given_up * 1000).toISOString()}; the log says why`;
  const isRecent = systemClock.now() - last_given_up < GIVEN_UP_SECONDS;
  return isRecent ? failed('jobs given up', says) : note('jobs given up', says);
}

/** Reports notifications that were not delivered lately: one line for each channel of delivery and reason. */
async function undeliveredFindings(store: Store): Promise<Finding[]> {
  const today = Math.floor(systemClock.now() / SECONDS_PER_DAY);
  const counts = await store.query((tx) => countUndelivered(tx, today - REPORTED_DAYS, MAX_REASONS));
  if (counts.length === 0) return [ok('not delivered', `nothing in ${REPORTED_DAYS} days`)];
  return counts.map(({ road, reason, count, last_at }) =>
    note(
      'not delivered',
      `${ROAD_NAMES[road]}: ${count} × ${reason}, the last at ${new Date(last_at * 1000).toISOString()}`,
    ),
  );
}

/** Reports addresses that get no mails any more because too many bounced. */
async function bounceFindings(store: Store): Promise<Finding[]> {
  const about = 'mails back';
  const realms = await store.query((tx) => listRealms(tx));
  let count = 0;
  for (const { id } of realms) count += (await store.of(id).query((tx) => listFailures(tx))).filter(isOver).length;
  if (count === 0) return [ok(about, 'no address was given up')];
  const says = `${count} ${count === 1 ? 'address gets' : 'addresses get'} no mails any more: roost mail bounces`;
  return [note(about, says)];
}

/** Checks the hash chains of all audit logs: one line for each damaged log, or one for all. */
async function auditFindings(store: Store, key: string | undefined): Promise<Finding[]> {
  const about = 'audit log';
  if (key === undefined) return [note(about, 'not looked at: there is no secret by which it would be sealed')];
  const realms = await store.query((tx) => listRealms(tx));
  const faults: Finding[] = [];
  let entries = 0;
  let unsealed = 0;
  for (const { id, string_id, name } of realms) {
    const report = await checkChain(store, id, key);
    entries += report.entries - report.deleted;
    unsealed += report.unsealed;
    if (report.brokenAt !== undefined)
      faults.push(failed(about, `${string_id || name}: entry ${report.brokenAt} was changed, added or removed`));
  }
  if (faults.length > 0) return faults;
  const says = `${entries} entries, all unchanged`;
  // Entries of older releases have no seal; neither have entries that somebody wrote directly into the database.
  return [unsealed === 0 ? ok(about, says) : note(about, `${says}; ${unsealed} have no seal of this server`)];
}

/** Returns the key of the seals; undefined if no server has run yet. */
function secretKey(configured: string | undefined, dataDir: string): string | undefined {
  const { secret: file } = dataPaths(dataDir);
  const secret = configured ?? (existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined);
  return secret === undefined ? undefined : auditKeyOf(secret);
}
