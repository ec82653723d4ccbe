import type { RealmRefWriteTx } from '#kernel/auth';
import { SECONDS_PER_DAY } from '#kernel/clock';
import type { Context } from '#kernel/context';
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

/** Whether the organization asks somebody for a second factor. Higher roles have lower numbers. */
function isDemanded({ second_factor_required_role: role }: Demand, user: Pick<UserRow, 'role' | 'is_bot'>): boolean {
  return !user.is_bot && user.role <= role;
}

/** Seconds since 1970 from which on somebody does not get in without: the grace period runs from the demand, or from joining. */
function dueAt(demand: Demand, user: Pick<UserRow, 'date_joined'>): number {
  const { second_factor_required_since: since, second_factor_grace_days: days } = demand;
  return Math.max(since, user.date_joined) + days * SECONDS_PER_DAY;
}

/** What the password alone is worth for somebody: everything, a question for the code, or a set-up. */
type Step = 'in' | 'ask' | 'set up';

/** What somebody has to do who has shown the first factor. See protocol/authentication#second-factor. */
export async function nextStep(tx: RealmReadTx, user: UserRow): Promise<Step> {
  if (await hasSecondFactor(tx, user.id)) return 'ask';
  const demand = settingsOf(await readRealm(tx));
  return isDemanded(demand, user) && dueAt(demand, user) <= tx.now ? 'set up' : 'in';
}

/** Whether somebody may do without: nobody asks them. */
export async function mayTurnOff(tx: RealmReadTx, user: UserRow): Promise<boolean> {
  return !isDemanded(settingsOf(await readRealm(tx)), user);
}

/** Tells those who need a second factor and have none until when, by mail. */
export async function tellOfDemand(context: Context, tx: RealmRefWriteTx): Promise<void> {
  const demand = settingsOf(await readRealm(tx));
  const having = new Set([...(await listSecondFactors(tx)), ...(await listPasskeyOwners(tx))]);
  const people = (await listUsers(tx)).filter(
    (user) => user.is_active && isDemanded(demand, user) && !having.has(user.id),
  );
  const mails = people.map((user) => ({
    to: { name: user.full_name, address: user.email },
    subject: `${tx.realm.name} asks you for a second factor`,
    text: `From ${dayOf(dueAt(demand, user))} on nobody of your role logs in to ${tx.realm.name} with a password alone.\n\nTo set up codes of an authenticator app, or a passkey, open this address:\n\n${context.realmUrl(tx.realm)}/accounts/second-factor/setup/`,
  }));
  await queueMails(context, tx, mails);
}

function dayOf(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(0, 10);
}
