import { isAdministrator } from '#kernel/permissions';
import { dict, list, object, str } from '#kernel/schema';
import { registerState } from '#kernel/state';
import { listBotsOf } from '#features/users';
import { CATALOGUE } from './integrations.ts';
import { listBotUsers } from './queries.ts';
import { readBots, toWireBot } from './read.ts';
import { wireBot, wireIntegration } from './wire.ts';

/** All bots for administrators; for others, the bots they own. See protocol/bots#operations. */
export const botsState = registerState({
  fetchType: 'realm_bot',
  source: 'protocol/bots#operations',
  fields: { realm_bots: list(wireBot) },
  read: async ({ tx, context }) => {
    if (!tx.actor) return { realm_bots: [] };
    const users = await (isAdministrator(tx.actor) ? listBotUsers(tx) : listBotsOf(tx, tx.actor.userId));
    const bots = await readBots(tx, users);
    return { realm_bots: bots.map((bot) => toWireBot(bot, context.server.secret)) };
  },
});

/** Bots that run inside the server; always empty. See protocol/bots#operations. */
export const embeddedBotsState = registerState({
  fetchType: 'realm_embedded_bots',
  stale: 'a fact of the server',
  source: 'protocol/bots#operations',
  fields: { realm_embedded_bots: list(object({ name: str(), config: dict(str()) })) },
  read: () => Promise.resolve({ realm_embedded_bots: [] }),
});

/** The integrations for incoming webhook bots. See protocol/bots#operations. */
export const incomingWebhooksState = registerState({
  fetchType: 'realm_incoming_webhook_bots',
  stale: 'a fact of the server',
  source: 'protocol/bots#operations',
  sameFor: () => '',
  fields: { realm_incoming_webhook_bots: list(wireIntegration) },
  read: () => Promise.resolve({ realm_incoming_webhook_bots: CATALOGUE }),
});
