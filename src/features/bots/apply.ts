import type { WireBot } from './wire.ts';

/** The part of the client's state that these events change. */
interface BotsState {
  readonly realm_bots: readonly WireBot[];
}

type BotEvent =
  | { readonly op: 'add'; readonly bot: WireBot }
  | { readonly op: 'update'; readonly bot: Partial<WireBot> & Pick<WireBot, 'user_id'> }
  | { readonly op: 'delete'; readonly bot: Pick<WireBot, 'user_id'> };

/** Returns the bots that the user may manage after an event. */
export function applyBotEvent({ realm_bots }: BotsState, event: BotEvent): BotsState {
  const { user_id } = event.bot;
  const others = realm_bots.filter((bot) => bot.user_id !== user_id);
  if (event.op === 'delete') return { realm_bots: others };
  if (event.op === 'add') return { realm_bots: [...others, event.bot].toSorted((a, b) => a.user_id - b.user_id) };
  return { realm_bots: realm_bots.map((bot) => (bot.user_id === user_id ? { ...bot, ...event.bot } : bot)) };
}
