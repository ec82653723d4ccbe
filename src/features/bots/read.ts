import { apiKeyFor, deriveKey } from '#kernel/auth';
import type { RealmId, UserId } from '#kernel/ids';
import type { RealmReadTx } from '#kernel/store';
import { findChannels } from '#features/channels';
import type { UserRow } from '#features/users';
import { findBots } from './queries.ts';
import { BotType, Interface } from './rules.ts';
import type { BotRow } from './tables.ts';
import type { WireBot } from './wire.ts';

/** A bot: its account, its bot row, and the names of its default channels. */
export interface Bot {
  readonly user: UserRow;
  readonly row: BotRow;
  readonly sendingTo: string | null;
  readonly listeningTo: string | null;
}

/** The row of a bot for which none is stored. */
export function defaultsOfBot(realm_id: RealmId, user_id: UserId): BotRow {
  return {
    user_id,
    realm_id,
    default_sending_stream_id: null,
    default_events_register_stream_id: null,
    default_all_public_streams: false,
    base_url: null,
    service_interface: Interface.generic,
    service_name: null,
    config_data: {},
    alerted_at: 0,
  };
}

/** Returns the bots of these accounts, in the same order. */
export async function readBots(tx: RealmReadTx, users: readonly UserRow[]): Promise<readonly Bot[]> {
  const ids = users.map((user) => user.id);
  const rows = await findBots(tx, ids);
  const used = [...rows.values()].flatMap((row) => [
    row.default_sending_stream_id ?? [],
    row.default_events_register_stream_id ?? [],
  ]);
  const channels = await findChannels(tx, [...new Set(used.flat())]);
  const nameOf = (id: BotRow['default_sending_stream_id']) => (id === null ? null : (channels.get(id)?.name ?? null));
  return users.map((user) => {
    const row = rows.get(user.id) ?? defaultsOfBot(tx.realmId, user.id);
    return {
      user,
      row,
      sendingTo: nameOf(row.default_sending_stream_id),
      listeningTo: nameOf(row.default_events_register_stream_id),
    };
  });
}

export async function readBot(tx: RealmReadTx, user: UserRow): Promise<Bot> {
  const [bot] = await readBots(tx, [user]);
  if (!bot) throw new Error('a bot was read and is not there');
  return bot;
}

/**
 * Returns the token with which an outgoing webhook recognizes this server; it changes with the bot's API key. See
 * protocol/bots#operations.
 */
export function tokenOf(secret: string, user: Pick<UserRow, 'id' | 'api_key_version'>): string {
  return deriveKey(secret, `bot-token:${user.id}:${user.api_key_version}`);
}

/**
 * Returns the secret that signs the calls of an outgoing webhook, in the form of protocol/bots#signatures. It is
 * derived, not stored, and changes with the bot's API key.
 */
export function signingSecretOf(secret: string, user: Pick<UserRow, 'id' | 'api_key_version'>): string {
  const key = deriveKey(secret, `bot-signature:${user.id}:${user.api_key_version}`);
  return `whsec_${Buffer.from(key).toString('base64')}`;
}

export function keyOf(secret: string, user: Pick<UserRow, 'id' | 'api_key_version'>): string {
  return apiKeyFor(secret, user.id, user.api_key_version);
}

/** The settings of a bot as clients see them. */
export function toWireSettings({ row, sendingTo, listeningTo }: Bot) {
  return {
    default_sending_stream: sendingTo,
    default_events_register_stream: listeningTo,
    default_all_public_streams: row.default_all_public_streams,
  };
}

/** Returns the service that an outgoing webhook calls. */
export function servicesOf({ user, row }: Bot, secret: string): WireBot['services'] {
  if (user.bot_type !== BotType.outgoingWebhook) return [];
  return [{ base_url: row.base_url ?? '', interface: row.service_interface, token: tokenOf(secret, user) }];
}

/** A bot as its owner and administrators see it. */
export function toWireBot(bot: Bot, secret: string): WireBot {
  return { user_id: bot.user.id, ...toWireSettings(bot), services: servicesOf(bot, secret) };
}
