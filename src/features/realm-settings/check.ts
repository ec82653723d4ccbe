import { accessChannel, channelArchived, InvalidChannelId } from '#features/channels';
import { CHANGEABLE_SETTINGS, lockRealm, type RealmSettings, setRealmSettings, settingsOf } from '#features/realms';
import { authenticationMethods, namesOfWays } from '#features/sign-in';
import { isLanguage } from '#features/user-settings';
import type { ActorReadTx, RealmRef } from '#kernel/auth';
import type { Context } from '#kernel/context';
import { ParameterFault, ParameterInvalid } from '#kernel/errors';
import { asId, type ChannelId } from '#kernel/ids';
import { on } from '#kernel/slice';
import { fieldsIn } from '#kernel/text';
import * as errors from './errors.ts';
import { realmValuesUpdated } from './events.ts';
import { UNLIMITED } from './params.ts';
import { callProviders } from './server-facts.ts';

/** Decoded parameters. */
export type Sent = Readonly<Record<string, unknown>>;
type Wanted = Record<string, unknown>;

/** Returns the settings that a request asks for in their stored form; throws the first error. */
export function wantedSettings(context: Context, realm: RealmRef, sent: Sent): Partial<RealmSettings> {
  const wanted: Wanted = {};
  for (const name of Object.keys(CHANGEABLE_SETTINGS)) if (sent[name] !== undefined) wanted[name] = sent[name];
  const { default_language: language, authentication_methods: methods, jitsi_server_url: jitsi } = sent;
  if (typeof language === 'string' && !isLanguage(language)) throw errors.InvalidLanguage({ language });
  if (methods !== undefined) assertMethods(context, realm, methods);
  assertWays(context, realm, wanted['login_method_order']);
  const provider = sent['video_chat_provider'];
  if (typeof provider === 'number' && !Object.values(callProviders(context)).some(({ id }) => id === provider))
    throw errors.InvalidVideoChatProvider({ value: provider });
  if (typeof sent['gif_rating_policy'] === 'number' && ![0, 1, 2, 3, 4].includes(sent['gif_rating_policy']))
    throw errors.InvalidGifRatingPolicy({ value: sent['gif_rating_policy'] });
  if (typeof jitsi === 'string') wanted['jitsi_server_url'] = jitsiUrl(jitsi);
  for (const [name, unlimited] of Object.entries(UNLIMITED))
    if (sent[name] !== undefined) wanted[name] = limitOf(name, sent[name], unlimited);
  return wanted;
}

function assertMethods(context: Context, realm: RealmRef, methods: unknown): void {
  const known = authenticationMethods(context, realm);
  const chosen = Object.entries(fieldsIn(methods));
  const unknown = chosen.find(([name]) => !known.includes(name));
  if (unknown) throw errors.InvalidAuthenticationMethod({ name: unknown[0], valid: known.join(', ') });
  if (!chosen.some(([, isOn]) => isOn === true)) throw errors.NoAuthenticationMethod();
}

/** Throws unless an order names existing ways to log in, each once. */
function assertWays(context: Context, realm: RealmRef, order: unknown): void {
  if (!Array.isArray(order)) return;
  const known = namesOfWays(context, realm);
  const names: readonly string[] = order.map(String);
  const wrong = names.find((name, index) => !known.includes(name) || names.indexOf(name) !== index);
  if (wrong !== undefined) throw errors.InvalidAuthenticationMethod({ name: wrong, valid: known.join(', ') });
}

function jitsiUrl(sent: string): string | null {
  if (sent === 'default') return null;
  if (!URL.canParse(sent) || !/^https?:\/\//i.test(sent))
    throw ParameterFault({ fault: 'jitsi_server_url is not a URL' });
  return sent;
}

/** Most seconds or days of a limit, because databases multiply them. */
const MAX_LIMIT = 2_147_483_647;

function limitOf(name: string, sent: unknown, unlimited: number | null): number | null {
  if (sent === 'unlimited') return unlimited;
  if (typeof sent !== 'number' || sent <= 0 || sent > MAX_LIMIT)
    throw ParameterInvalid({ var_name: name, bad_value: sent });
  return sent;
}

/** Settings that name a channel. */
const CHANNELS = [
  'new_stream_announcements_stream_id',
  'signup_announcements_stream_id',
  'zulip_update_announcements_stream_id',
  'moderation_request_channel_id',
] as const;
/** Value for no channel. */
const NONE = -1;

/**
 * Throws unless each named channel is active and known to the caller; the channel for requests to moderators must be
 * private.
 */
export async function assertChannels(tx: ActorReadTx, wanted: Partial<RealmSettings>): Promise<void> {
  for (const name of CHANNELS) {
    const id = wanted[name];
    if (id === undefined || id === NONE) continue;
    const { channel } = await accessChannel(tx, asId<ChannelId>(id));
    if (channel.is_archived) throw InvalidChannelId();
    if (name === 'moderation_request_channel_id' && !channel.invite_only) throw errors.ModerationChannelPublic();
  }
}

/** Resets settings that name a channel when it is archived. See protocol/channels#archiving. */
export const forgetArchived = on(channelArchived, async (tx, { channel }) => {
  const row = await lockRealm(tx);
  const settings = settingsOf(row);
  const stale = CHANNELS.filter((name) => settings[name] === channel.id);
  if (stale.length === 0) return;
  const data = Object.fromEntries(stale.map((name) => [name, NONE]));
  await setRealmSettings(tx, { ...row.settings, ...data });
  tx.emit(realmValuesUpdated({ property: 'default', data }));
});
