import { on } from '#kernel/slice';
import { groupsHolding, membershipChanging } from '#features/groups';
import { privateChannelsShownBy } from '../core/index.ts';
import { hideChannels, showChannels } from '../members/index.ts';
import { whoKnows } from './visibility.ts';

/**
 * People who come to a group that lets its members know of a private channel learn of it; those who leave lose it.
 * Nobody else is told: the channel's own settings are as they were. See protocol/channels#access,
 * protocol/channels#update-events.
 */
export const visibilityFollowsGroups = on(membershipChanging, async (_context, tx, { groupIds, asOf, afterwards }) => {
  const affected = await groupsHolding(tx, groupIds);
  const channels = await privateChannelsShownBy(tx, affected);
  if (channels.length === 0) return;
  const before = await whoKnows(tx, channels, asOf);
  afterwards(async (later) => {
    const after = await whoKnows(later, channels);
    const changes = channels.map((channel) => {
      const [known, knowing] = [before.get(channel.id) ?? NOBODY, after.get(channel.id) ?? NOBODY];
      return { channel, gaining: without(knowing, known), losing: without(known, knowing) };
    });
    for (const { channel, losing } of changes) hideChannels(later, { channels: [channel], users: losing });
    const gains = changes.filter(({ gaining }) => gaining.length > 0);
    await showChannels(
      later,
      gains.map(({ channel, gaining }) => ({ channels: [channel], users: gaining })),
    );
  });
});

const NOBODY: ReadonlySet<never> = new Set();

/** Those of the one set who are not in the other. */
function without<T>(all: ReadonlySet<T>, others: ReadonlySet<T>): readonly T[] {
  return [...all].filter((one) => !others.has(one));
}
