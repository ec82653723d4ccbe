import { addPerson, defaultChannelsOf, type NewPerson } from '#features/accounts';
import { addSubscribers, type ChannelRow, findChannels } from '#features/channels';
import { greet } from '#features/first-day';
import { addToGroups, findGroups } from '#features/groups';
import { sendSystemMessage } from '#features/messages';
import { readRealm, realmRefOf, settingsOf } from '#features/realms';
import { hashPassword, noteSender } from '#features/sign-in';
import { findUser, findUserByEmail, nameRefusal, type UserRow } from '#features/users';
import type { RealmRefWriteTx } from '#kernel/auth';
import type { RealmRequest } from '#kernel/endpoint';
import { RealmDeactivated } from '#kernel/errors';
import { lockLog } from '#kernel/events';
import { asId, type ChannelId, type UserId } from '#kernel/ids';
import { defineJob, enqueue } from '#kernel/jobs';
import type { Context } from '#kernel/context';
import type { RealmReadTx } from '#kernel/store';
import { foldCase } from '#kernel/text';
import { announceInvites } from './actions.ts';
import { addressReason } from './addresses.ts';
import { keyHash } from './keys.ts';
import { findAlive, findInvitationByKey, findMailedTo, revokeInvitationsOf, takeInvitation } from './queries.ts';
import { stillOffered } from './rights.ts';
import { SIGN_UP } from './rules.ts';
import type { InvitationRow } from './tables.ts';
import { wordsOf } from './words.ts';

/** What a new user enters in the form. */
export interface Newcomer {
  readonly full_name: string;
  readonly password: string;
  readonly timezone: string;
}

/**
 * The result of joining: an account, an address that has one already, an invalid key, or a fault to show in the form.
 */
export type Joined =
  | { readonly user: UserRow }
  | { readonly taken: string }
  | { readonly gone: true }
  | { readonly fault: string };

const SIGNUP_TOPIC = 'signups';

/** Creates the account of an invitation, with its channels and groups. See protocol/invitations#joining. */
export async function join(
  request: Pick<RealmRequest, 'context' | 'realm' | 'cookies'>,
  key: string,
  newcomer: Newcomer,
): Promise<Joined> {
  const { context, realm } = request;
  const hash = await hashPassword(newcomer.password);
  return context.store.in(realm).write(async (tx) => {
    await lockLog(tx);
    const found = await findInvitationByKey(tx, keyHash(key));
    if (found?.invitation_state !== 'pending' || found.email === null) return { gone: true };
    const fault = await joiningFault(tx, newcomer.full_name, found.email);
    if (fault !== undefined) return { fault };
    const invitation = await takeInvitation(tx, keyHash(key));
    if (!invitation?.email || !(await parentLives(tx, invitation))) return { gone: true };
    await noteSender(tx, request, key);
    if (await findUserByEmail(tx, invitation.email)) return { taken: invitation.email };
    const { full_name, timezone } = newcomer;
    const person = { email: invitation.email, full_name, timezone, passwordHash: hash };
    return { user: await addInvited(tx, person, invitation) };
  });
}

/** Why a person whose address is verified gets no account. */
export type JoinRefusal = { readonly fault: string } | { readonly notInvited: true };

/**
 * Creates an account for a person whose address an identity provider has verified: with the offer of a mail invitation
 * to that address, or as a member if the organization needs no invitation. The caller holds the log's lock and has
 * checked that nobody has the address. See protocol/authentication#joining.
 */
export async function joinVerified(
  tx: RealmRefWriteTx,
  person: { readonly email: string; readonly full_name: string },
): Promise<{ readonly user: UserRow } | JoinRefusal> {
  const fault = await joiningFault(tx, person.full_name, person.email);
  if (fault !== undefined) return { fault };
  const found = await findMailedTo(tx, foldCase(person.email));
  const invitation = found && (await takeInvitation(tx, found.key_hash));
  if (invitation) return { user: await addInvited(tx, person, invitation) };
  if (settingsOf(await readRealm(tx)).invite_required) return { notInvited: true };
  return { user: await addInvited(tx, person, SIGN_UP) };
}

type Offered = Pick<
  InvitationRow,
  'inviter_id' | 'invited_as' | 'channel_ids' | 'group_ids' | 'includes_defaults' | 'notifies_referrer' | 'welcome_text'
>;

async function addInvited(tx: RealmRefWriteTx, person: Omit<NewPerson, 'role'>, offered: Offered): Promise<UserRow> {
  const user = await addPerson(tx, { ...person, role: offered.invited_as });
  await settleIn(tx, user, offered);
  await revokeInvitationsOf(tx, foldCase(person.email));
  announceInvites(tx, offered.inviter_id);
  await greet(tx, user, offered.welcome_text);
  await enqueue(tx, welcomeJob, {
    user_id: user.id,
    referrer_id: offered.notifies_referrer ? offered.inviter_id : null,
  });
  return user;
}

/**
 * Whether what led to a confirmation still lets people join: the reusable link, or that nobody needs an invitation. True
 * for invitations.
 */
export async function parentLives(
  tx: RealmReadTx,
  { parent_id, invitation_kind }: Pick<InvitationRow, 'parent_id' | 'invitation_kind'>,
): Promise<boolean> {
  if (parent_id !== null) return (await findAlive(tx, parent_id)) !== undefined;
  return invitation_kind !== 'confirmation' || !settingsOf(await readRealm(tx)).invite_required;
}

/**
 * Returns why nobody can join any more, or why a name is refused, or an address, which may have been valid when it was
 * invited. See protocol/invitations#joining.
 */
async function joiningFault(tx: RealmReadTx, name: string, address: string): Promise<string | undefined> {
  if ((await readRealm(tx)).is_deactivated) return RealmDeactivated().message;
  return (await nameRefusal(tx, name)) ?? addressReason(tx, address);
}

async function settleIn(tx: RealmRefWriteTx, user: UserRow, invitation: Offered): Promise<void> {
  const { channelIds, groupIds } = await stillOffered(tx, invitation);
  const groups = await findGroups(tx, groupIds);
  const alive = [...groups.values()].filter((group) => !group.deactivated);
  await addToGroups(
    tx,
    alive.map((group) => group.id),
    user.id,
  );
  const usual = invitation.includes_defaults ? await defaultChannelsOf(tx, user) : [];
  const channels = await channelsOf(tx, channelIds, usual);
  if (channels.length > 0) await addSubscribers(tx, channels, [user.id]);
}

/** Returns these channels and the usual ones, without archived ones, by ID. */
async function channelsOf(
  tx: RealmReadTx,
  ids: readonly ChannelId[],
  usual: readonly ChannelRow[],
): Promise<readonly ChannelRow[]> {
  const named = await findChannels(tx, ids);
  const defaults = usual.map((channel) => [channel.id, channel] as const);
  const all = new Map<ChannelId, ChannelRow>([...named, ...defaults]);
  return [...all.values()].filter((channel) => !channel.is_archived).toSorted((a, b) => a.id - b.id);
}

interface Welcome {
  readonly user_id: UserId;
  /** The user to notify; null for nobody. */
  readonly referrer_id: UserId | null;
}

/** Notifies the inviter that a user joined, and announces the user if the organization wants that. */
export const welcomeJob = defineJob<Welcome, Context>('welcome', async (payload, { context, realmId }) => {
  const { user, referrer, row } = await context.store.of(realmId).read(async (tx) => ({
    user: await findUser(tx, payload.user_id),
    referrer: payload.referrer_id === null ? undefined : await findUser(tx, payload.referrer_id),
    row: await readRealm(tx),
  }));
  if (!user?.is_active || row.is_deactivated) return;
  const realm = realmRefOf(row, context.server);
  const settings = settingsOf(row);
  const words = wordsOf(realm);
  const mention = `@_**${user.full_name}|${user.id}**`;
  if (referrer?.is_active) {
    const content = words.accepted(mention);
    await sendSystemMessage(context, realm, { destination: { people: { ids: [referrer.id] } }, content });
  }
  const id = asId<ChannelId>(settings.signup_announcements_stream_id);
  if (id > 0) {
    const content = words.joined(mention);
    await sendSystemMessage(context, realm, { destination: { channel: { id }, topic: SIGNUP_TOPIC }, content });
  }
});
