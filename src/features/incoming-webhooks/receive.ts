import { incomingWebhookByKey, INTEGRATIONS } from '#features/bots';
import { sendMessage } from '#features/messages';
import { actorOf } from '#features/users';
import type { Actor, RealmRef } from '#kernel/auth';
import { JsonMalformed, RouteMissing } from '#kernel/errors';
import type { Context } from '#kernel/context';
import { FORMATS } from './formats.ts';

/** What another service posts. */
interface Posted {
  readonly integration: string;
  readonly api_key: string;
  readonly stream: string | undefined;
  readonly topic: string | undefined;
  /** As a field of a form, or as the whole of a JSON body. */
  readonly payload: unknown;
  readonly posted: unknown;
}

/**
 * Sends what was posted as a message of the bot whose key it is. protocol/bots#incoming-webhooks: "integration URLs".
 */
export async function receive(context: Context, realm: RealmRef, sent: Posted): Promise<void> {
  const integration = INTEGRATIONS.find((candidate) => candidate.name === sent.integration);
  if (!integration) throw RouteMissing();
  const bot = await context.store.query((tx) => incomingWebhookByKey(tx, realm, context.server.secret, sent.api_key));
  await context.limits.take('user', String(bot.id));
  const format = FORMATS[integration.name];
  const posted = sent.posted ?? sent.payload;
  if (posted === undefined) throw JsonMalformed();
  const content = format.write(posted);
  if (content === '') return;
  const actor = { ...actorOf(bot, realm, context.clock.now()), client: `${integration.name} webhook` };
  const place = placeOf(actor, sent.stream, sent.topic ?? format.topic);
  await sendMessage(context, realm, actor, { ...place, content, read_by_sender: false });
}

/** The channel that the address names, or the person who made the bot. */
function placeOf(actor: Actor, stream: string | undefined, topic: string) {
  if (stream !== undefined) return { type: 'channel' as const, to: stream, topic };
  const owner = actor.botOwnerId === null ? [] : [actor.botOwnerId];
  return { type: 'direct' as const, to: JSON.stringify(owner), topic: undefined };
}
