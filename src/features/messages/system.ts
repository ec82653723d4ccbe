import { actorOf, findSystemBot, SystemBot, type SystemBotName } from '#features/users';
import type { Actor, RealmRef } from '#kernel/auth';
import type { Kit } from '#kernel/kit';
import { type Outgoing, prepareMessage } from './outgoing.ts';
import { type Destination, type Sent, sendPrepared } from './send.ts';

/** Name of the program that the server's own messages come from. */
const CLIENT = 'Internal';

/** A notice ready to be stored by `sendPrepared` in a transaction of its cause. */
export async function prepareSystemMessage(
  kit: Kit,
  realm: RealmRef,
  content: string,
  bot: SystemBotName = SystemBot.notification.full_name,
): Promise<Outgoing> {
  return prepareMessage(kit, realm, await systemActor(kit, realm, bot), content);
}

/** Sends a notice by a system bot, the notification bot unless said otherwise, in a transaction of its own. */
export async function sendSystemMessage(
  kit: Kit,
  realm: RealmRef,
  destination: Destination,
  content: string,
  bot: SystemBotName = SystemBot.notification.full_name,
): Promise<Sent> {
  const outgoing = await prepareSystemMessage(kit, realm, content, bot);
  return kit.store.write((tx) => sendPrepared(kit, tx, outgoing, destination));
}

async function systemActor(kit: Kit, realm: RealmRef, bot: SystemBotName): Promise<Actor> {
  const row = await kit.store.query((tx) => findSystemBot(tx, realm.id, bot));
  if (!row) throw new Error(`the organization has no ${bot}`);
  return { ...actorOf(row, realm, kit.clock.now()), client: CLIENT };
}
