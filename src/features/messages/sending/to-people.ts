import type { ActorReadTx, ActorWriteTx } from '#kernel/auth';
import { holds, holdsInRealm, isSystemGroup, membersOf } from '#features/groups';
import { readRealm, realmGroupSetting } from '#features/realms';
import { ensureDirectRecipient, findDirectRecipient } from '#features/recipients';
import {
  announceVisibility,
  apiEmail,
  findByVisibleEmails,
  findUsers,
  guestsAmong,
  isFullMember,
  readVisibility,
  type UserRow,
} from '#features/users';
import { holdLog } from '#kernel/events';
import type { UserId } from '#kernel/ids';
import type { Context } from '#kernel/context';
import { foldCase } from '#kernel/text';
import {
  DirectMessagesDisabled,
  DirectMessagesUnauthorized,
  hasMessages,
  InitiationRefused,
  insertMessage,
  InvalidRecipientEmail,
  InvalidRecipientId,
  type PeopleAddress,
  RecipientDeactivated,
  RecipientInaccessible,
} from '../core/index.ts';
import { deliver } from './deliver.ts';
import { assertMayMention, directMentions } from './mentions.ts';
import type { Outgoing } from './outgoing.ts';
import { messageColumns } from './rows.ts';
import type { Sent } from './send.ts';

/** Stores a direct message, if its sender may write to these people. See protocol/messages#checks, steps 4 and 8. */
export async function sendToPeople(
  context: Context,
  tx: ActorWriteTx,
  outgoing: Outgoing,
  address: PeopleAddress,
): Promise<Sent> {
  const people = await assertMaySendToPeople(tx, outgoing, address);
  const ids = people.map((person) => person.id);
  const mentions = directMentions(outgoing, people);
  await assertMayMention(tx, outgoing, mentions);
  await holdLog(tx);
  const visibility = await readVisibility(tx, guestsAmong(tx.realm, people));
  const recipient_id = await ensureDirectRecipient(tx, ids);
  await announceVisibility(tx, visibility);
  const message = await insertMessage(tx, { ...messageColumns(outgoing, ''), recipient_id, channel_id: null });
  return deliver(context, tx, {
    outgoing,
    message,
    place: { people },
    channel: undefined,
    audience: { users: ids },
    mentions,
  });
}

/** Returns everybody in the conversation that an address names; throws unless the sender may write to them. */
export async function assertMaySendToPeople(
  tx: ActorReadTx,
  outgoing: Outgoing,
  address: PeopleAddress,
): Promise<readonly UserRow[]> {
  const people = await peopleFor(tx, outgoing, address);
  await assertMayWrite(tx, people);
  return people;
}

/** Everybody in the conversation, the sender included. */
async function peopleFor(tx: ActorReadTx, outgoing: Outgoing, address: PeopleAddress): Promise<readonly UserRow[]> {
  const { actor } = tx;
  const { sender, host } = outgoing;
  const people = new Map<UserId, UserRow>();
  if ('ids' in address) {
    const found = await findUsers(tx, address.ids);
    for (const id of address.ids) addPerson(people, found.get(id), InvalidRecipientId({ id }));
  } else {
    const found = await findByVisibleEmails(tx, address.emails, host);
    for (const email of address.emails) addPerson(people, found.get(foldCase(email)), InvalidRecipientEmail({ email }));
  }
  const others = [...people.values()].filter((person) => person.id !== actor.userId);
  // First, so that nothing about hidden people is revealed, not even that they are deactivated.
  if (others.some((person) => actor.viewer.hidden?.has(person.id))) throw RecipientInaccessible();
  await assertActive(tx, outgoing, others);
  return [sender, ...others];
}

/**
 * Throws for deactivated people. They are allowed in an existing group conversation, as long as others are active.
 * The error names the address that the API shows, never a hidden one.
 */
async function assertActive(tx: ActorReadTx, { host }: Outgoing, others: readonly UserRow[]): Promise<void> {
  const gone = others.find((person) => !person.is_active);
  if (!gone) return;
  const ids = [tx.actor.userId, ...others.map((person) => person.id)];
  const isKnown = others.some((person) => person.is_active) && (await findDirectRecipient(tx, ids)) !== undefined;
  if (!isKnown) throw RecipientDeactivated({ email: apiEmail(gone, host) });
}

function addPerson(people: Map<UserId, UserRow>, row: UserRow | undefined, otherwise: Error): void {
  if (!row) throw otherwise;
  people.set(row.id, row);
}

async function assertMayWrite(tx: ActorReadTx, people: readonly UserRow[]): Promise<void> {
  const { realm, actor } = tx;
  const others = people.filter((person) => person.id !== actor.userId);
  if (actor.isBot || others.every((person) => person.is_bot)) return;
  const { direct_message_permission_group: permitting } = await readRealm(tx);
  if (permitting === realm.groups['role:nobody']) throw DirectMessagesDisabled();
  if (!(await anyIn(tx, people, permitting))) throw DirectMessagesUnauthorized();
  if (await holdsInRealm(tx, 'direct_message_initiator_group')) return;
  const known = await findDirectRecipient(
    tx,
    people.map((person) => person.id),
  );
  if (known === undefined || !(await hasMessages(tx, known))) throw InitiationRefused();
}

/** Whether one of the people is in the group that may receive direct messages. */
async function anyIn(
  tx: ActorReadTx,
  people: readonly UserRow[],
  group: Parameters<typeof isSystemGroup>[1],
): Promise<boolean> {
  if (!isSystemGroup(tx.realm, group)) {
    const members = new Set(await membersOf(tx, [group]));
    return people.some((person) => members.has(person.id));
  }
  const setting = realmGroupSetting('direct_message_permission_group');
  for (const { id, role, date_joined } of people) {
    const isFull = isFullMember({ role, date_joined }, tx.realm.waitingPeriodDays, tx.now);
    if (await holds(tx, { realm: tx.realm, userId: id, role, isFullMember: isFull }, setting, group)) return true;
  }
  return false;
}
