import { findChannel, mayKnow, accessIn } from '#features/channels';
import { silentMention, topicLink } from '#features/messages';
import { findUsers } from '#features/users';
import type { Actor, ActorReadTx } from '#kernel/auth';
import type { Context } from '#kernel/context';
import type { ScheduledRow } from './tables.ts';

/**
 * What the notification bot tells the owner of a message that could not be sent. See protocol/saved#scheduled-messages.
 */
export async function failureNotice(
  context: Context,
  owner: Actor,
  row: ScheduledRow,
  reason: string,
): Promise<string> {
  const place = await context.store.as(owner).query((tx) => placeName(tx, row));
  const time = `<time:${new Date(row.deliver_at * 1000).toISOString()}>`;
  return `The message you scheduled for ${time} to ${place} could not be sent: ${reason}\n\n[View scheduled messages](#scheduled)`;
}

/** The place as its owner may know it today: a channel they may no longer see may have another name by now. */
async function placeName(tx: ActorReadTx, row: ScheduledRow): Promise<string> {
  if (row.channel_id === null) return peopleNames(tx, row);
  const channel = await findChannel(tx, row.channel_id);
  if (!channel || !mayKnow(channel, await accessIn(tx, channel))) return 'a channel';
  return row.topic === '' ? `#**${channel.name}**` : topicLink(channel, row.topic);
}

async function peopleNames(tx: ActorReadTx, { recipient_ids }: ScheduledRow): Promise<string> {
  const people = [...(await findUsers(tx, recipient_ids)).values()];
  const seen = people.filter((person) => !tx.actor.viewer.hidden?.has(person.id));
  return seen.length === 0 ? 'people' : seen.map(silentMention).join(', ');
}
