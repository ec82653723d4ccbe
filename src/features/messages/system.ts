import { actorOf, findSystemBot } from '#features/users';
import type { Actor, RealmRef } from '#kernel/auth';
import type { Kit } from '#kernel/kit';
import { type Outgoing, prepareMessage } from './outgoing.ts';
import { type Destination, type Sent, sendPrepared } from './send.ts';

/** Full name of the voice that tells of changes. */
const NOTIFICATION_BOT = 'Notification Bot';
/** Name of the program that the server's own messages come from. */
const CLIENT = 'Internal';

/** A notice ready to be stored by `sendPrepared` in a transaction of its cause. `bot` is the full name of a system bot. */
export async function prepareSystemMessage(
  kit: Kit,
  realm: RealmRef,
  content: string,
  bot = NOTIFICATION_BOT,
): Promise<Outgoing> {
  return prepareMessage(kit, realm, await systemActor(kit, realm, bot), content);
}

/** Sends a notice by a system bot, the notification bot unless said otherwise, in a transaction of its own. */
export async function sendSystemMessage(
  kit: Kit,
  realm: RealmRef,
  destination: Destination,
  content: string,
  bot = NOTIFICATION_BOT,
): Promise<Sent> {
  const outgoing = await prepareSystemMessage(kit, realm, content, bot);
  return kit.store.write((tx) => sendPrepared(kit, tx, outgoing, destination));
}

async function systemActor(kit: Kit, realm: RealmRef, bot: string): Promise<Actor> {
  const row = await kit.store.query((tx) => findSystemBot(tx, realm.id, bot));
  if (!row) throw new Error(`the organization has no ${bot}`);
  return { ...actorOf(row, realm, kit.clock.now()), client: CLIENT };
}
