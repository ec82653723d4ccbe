import { actorOf, findSystemBot, SystemBot, type SystemBotName } from '#features/users';
import type { Actor, RealmRef } from '#kernel/auth';
import type { Context } from '#kernel/context';
import { type Outgoing, prepareMessage } from './outgoing.ts';
import { type Destination, type Sent, sendPrepared } from './send.ts';

/** Client name of the server's own messages. */
const CLIENT = 'Internal';

/** A message for a system bot to send. */
export interface Notice {
  readonly destination: Destination;
  readonly content: string;
  /** Defaults to the notification bot. */
  readonly bot?: SystemBotName;
}

/** Prepares a notice, which `sendPrepared` can store in the transaction that causes it. */
export async function prepareSystemMessage(
  context: Context,
  realm: RealmRef,
  { content, bot = SystemBot.notification.full_name }: Omit<Notice, 'destination'>,
): Promise<Outgoing> {
  return prepareMessage(context, await systemActor(context, realm, bot), { content });
}

/** Sends a notice in a transaction of its own. */
export async function sendSystemMessage(context: Context, realm: RealmRef, notice: Notice): Promise<Sent> {
  const outgoing = await prepareSystemMessage(context, realm, notice);
  return context.store.in(realm).write((tx) => sendPrepared(context, tx, outgoing, notice.destination));
}

async function systemActor(context: Context, realm: RealmRef, bot: SystemBotName): Promise<Actor> {
  const row = await context.store.in(realm).query((tx) => findSystemBot(tx, bot));
  if (!row) throw new Error(`the organization has no ${bot}`);
  return { ...actorOf(row, realm, context.clock.now()), client: CLIENT };
}
