import type { RealmRefWriteTx } from '#kernel/auth';
import { addSubscribers, type ChannelRow, createChannels } from '#features/channels';
import { queueChannelNotices } from '#features/notices';
import { readRealm, setRealmSettings } from '#features/realms';
import type { UserRow } from '#features/users';
import { invariant } from '#kernel/errors';
import { lockLog } from '#kernel/events';
import type { RealmWriteTx } from '#kernel/store';
import { greet } from './greet.ts';
import { wordsOf } from './words/index.ts';

/**
 * The first channels of a new organization: default channels in which everybody may post. See
 * protocol/organizations#first-day.
 */
const FIRST_CHANNELS = [
  { name: 'general', greeting: 'welcome' },
  { name: 'random' },
  { name: 'sandbox', greeting: 'experiments' },
] as const;

/**
 * Gives a new organization its first channels and subscribes the owner, sets the first channel as the one for
 * announcements, and has the bots greet. Runs in the transaction that creates the organization; jobs send the messages.
 */
export async function furnish(tx: RealmRefWriteTx, owner: UserRow): Promise<void> {
  await lockLog(tx);
  const words = wordsOf(tx.realm);
  const described = FIRST_CHANNELS.map(({ name }) => asNewChannel(name, words.descriptions[name]));
  const channels = await createChannels(tx, owner.id, described);
  await addSubscribers(tx, channels, [owner.id], { created: channels });
  await announceIn(tx, channels[0]);
  const greetings = FIRST_CHANNELS.flatMap((first, index) => {
    const channel = channels[index];
    if (!channel || !('greeting' in first)) return [];
    return [{ channelId: channel.id, ...words[first.greeting], readBy: [] }];
  });
  await queueChannelNotices(tx, greetings);
  await greet(tx, owner);
}

/** Sets this channel as the one in which new channels and news of the service are announced. */
async function announceIn(tx: RealmWriteTx, channel: ChannelRow | undefined): Promise<void> {
  invariant(channel, 'an organization begins with a channel');
  const { settings } = await readRealm(tx);
  await setRealmSettings(tx, {
    ...settings,
    new_stream_announcements_stream_id: channel.id,
    zulip_update_announcements_stream_id: channel.id,
  });
}

function asNewChannel(name: string, description: string) {
  return {
    name,
    description,
    // These texts have no markup, so no renderer is needed; rendering would need the organization to exist.
    rendered_description: `<p>${description}</p>`,
    invite_only: false,
    is_web_public: false,
    is_default: true,
    history_public_to_subscribers: true,
    message_retention_days: null,
    folder_id: null,
    topics_policy: 'inherit' as const,
    settings: {},
  };
}
