import type { RealmRefWriteTx } from '#kernel/auth';
import { SECONDS_PER_DAY } from '#kernel/clock';
import type { RealmReadTx } from '#kernel/store';
import { queueMails } from '#features/mails';
import { readRealm, type RealmSettings, settingsOf } from '#features/realms';
import { listUsers, type UserRow } from '#features/users';
import { hasSecondFactor } from './factor.ts';
import { listPasskeyOwners } from './passkeys/queries.ts';
import { listSecondFactors } from './queries.ts';

type Demand = Pick<
  RealmSettings,
  'second_factor_grace_days' | 'second_factor_required_role' | 'second_factor_required_since'
>;

/** Whether the organization requires a second factor of somebody. Higher roles have lower numbers. */
function isDemanded({ second_factor_required_role: role }: Demand, user: Pick<UserRow, 'role' | 'is_bot'>): boolean {
  return !user.is_bot && user.role <= role;
}

/**
 * Seconds since 1970 from which on somebody cannot log in without a second factor: the grace period begins with the
 * requirement, or with joining if that was later.
 */
function dueAt(demand: Demand, user: Pick<UserRow, 'date_joined'>): number {
  const { second_factor_required_since: since, second_factor_grace_days: days } = demand;
  return Math.max(since, user.date_joined) + days * SECONDS_PER_DAY;
}

/** The step after a right password: let the person in, ask for the code, or have them set up a second factor. */
type Step = 'in' | 'ask' | 'set up';

/** Returns what somebody must do after the first factor. See protocol/authentication#second-factor. */
export async function nextStep(tx: RealmReadTx, user: UserRow): Promise<Step> {
  if (await hasSecondFactor(tx, user.id)) return 'ask';
  const demand = settingsOf(await readRealm(tx));
  return isDemanded(demand, user) && dueAt(demand, user) <= tx.now ? 'set up' : 'in';
}

/** Whether somebody may turn their second factor off: nobody requires it of them. */
export async function mayTurnOff(tx: RealmReadTx, user: UserRow): Promise<boolean> {
  return !isDemanded(settingsOf(await readRealm(tx)), user);
}

/** Mails everybody who needs a second factor and has none when they will need it. */
export async function tellOfDemand(tx: RealmRefWriteTx): Promise<void> {
  const demand = settingsOf(await readRealm(tx));
  const having = new Set([...(await listSecondFactors(tx)), ...(await listPasskeyOwners(tx))]);
  const people = (await listUsers(tx)).filter(
    (user) => user.is_active && isDemanded(demand, user) && !having.has(user.id),
  );
  const mails = people.map((user) => ({
    to: { name: user.full_name, address: user.email },
    subject: `${tx.realm.name} asks you for a second factor`,
    text: `From ${dayOf(dueAt(demand, user))} on nobody of your role logs in to ${tx.realm.name} with a password alone.\n\nTo set up codes of an authenticator app, or a passkey, open this address:\n\n${tx.realm.url}/accounts/second-factor/setup/`,
  }));
  await queueMails(tx, mails);
}

function dayOf(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(0, 10);
}
