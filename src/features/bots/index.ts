import { applier, slice } from '#kernel/slice';
import { applyBotEvent } from './apply.ts';
import { botEndpoints } from './endpoints.ts';
import { botEvents } from './events.ts';
import { channelFollowers } from './follow-channels.ts';
import { botsState, embeddedBotsState, incomingWebhooksState } from './state.ts';
import { bot } from './tables.ts';

export const bots = slice({
  name: 'bots',
  tables: [bot],
  reads: ['user'],
  endpoints: botEndpoints,
  events: botEvents,
  state: [botsState, embeddedBotsState, incomingWebhooksState],
  applies: [applier(['realm_bot'], ['realm_bots'], applyBotEvent)],
  on: channelFollowers,
});

export { accessBot, assertMayCreate } from './access.ts';
export { NoSuchBot, NoSuchWebhook } from './errors.ts';
export { queueDefaultsOf, sendingChannelOf, takeAlert } from './defaults.ts';
export { renewKey } from './keys.ts';
export { listBotNames } from './queries.ts';
export { type Bot, readBot, signingSecretOf, tokenOf } from './read.ts';
export { BotType, Interface } from './rules.ts';
