import type { UserId } from '#kernel/ids';
import { event } from '#kernel/events';
import { idOf, object } from '#kernel/schema';
import { wireBot, wireBotChange } from './wire.ts';

const SOURCE = 'protocol/events#organization';

/** A user created a bot, or became its owner. See protocol/events#organization, protocol/bots#operations. */
export const botAdded = event({ type: 'realm_bot', op: 'add', source: SOURCE, payload: { bot: wireBot } });

/** Settings of a bot changed; `bot` has its ID and those that did. */
export const botUpdated = event({
  type: 'realm_bot',
  op: 'update',
  source: SOURCE,
  payload: { bot: wireBotChange },
  audit: ({ bot: { user_id, ...after } }, before) => ({
    action: 'bot.changed',
    target: { kind: 'user', id: user_id },
    before,
    after,
  }),
});

/** The bot got another owner; sent to the former one. */
export const botTakenAway = event({
  type: 'realm_bot',
  op: 'delete',
  source: SOURCE,
  payload: { bot: object({ user_id: idOf<UserId>() }) },
});

export const botEvents = [botAdded, botUpdated, botTakenAway];
