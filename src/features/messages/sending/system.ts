import { actorOf, findSystemBot, SystemBot, type SystemBotName } from '#features/users';
import type { Actor, RealmRef } from '#kernel/auth';
import type { Context } from '#kernel/context';
import { type Outgoing, prepareMessage } from './outgoing.ts';
import { type Destination, type Sent, sendPrepared } from './send.ts';

/** Name of the program that the server's own messages come from. */
const CLIENT = 'Internal';

/** A notice ready to be stored by `sendPrepared` in a transaction of its cause. */
export async function prepareSystemMessage(
  context: Context,
  realm: RealmRef,
  content: string,
  bot: SystemBotName = SystemBot.notification.full_name,
): Promise<Outgoing> {
  return prepareMessage(context, await systemActor(context, realm, bot), content);
}

/** Sends a notice by a system bot, the notification bot unless said otherwise, in a transaction of its own. */
export async function sendSystemMessage(
  context: Context,
  realm: RealmRef,
  destination: Destination,
  content: string,
  bot: SystemBotName = SystemBot.notification.full_name,
): Promise<Sent> {
  const outgoing = await prepareSystemMessage(context, realm, content, bot);
  return context.store.in(realm).write((tx) => sendPrepared(context, tx, outgoing, destination));
}

async function systemActor(context: Context, realm: RealmRef, bot: SystemBotName): Promise<Actor> {
  const row = await context.store.in(realm).query((tx) => findSystemBot(tx, bot));
  if (!row) throw new Error(`the organization has no ${bot}`);
  return { ...actorOf(row, realm, context.clock.now()), client: CLIENT };
}
