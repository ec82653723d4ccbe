import { type ChannelRow, findChannels, InvalidChannelId, mayRead, type ChannelAccess } from '#features/channels';
import { cutContent, InvalidRecipientId, MAX_TOPIC, accessByChannelIn } from '#features/messages';
import { findUsers } from '#features/users';
import type { ActorReadTx } from '#kernel/auth';
import { ParameterFault } from '#kernel/errors';
import { asId, type ChannelId, type UserId } from '#kernel/ids';
import { truncate } from '#kernel/text';
import { NegativeTimestamp, OneChannelOnly, TopicNullBytes } from './errors.ts';
import type { DraftContent } from './queries.ts';
import type { SentDraft } from './wire.ts';

/** Latest time of an edit: the end of the year 9999, in seconds since 1970. */
const MAX_TIMESTAMP = 253_402_300_799;

/** The channels and people that the author may address. */
interface Reachable {
  readonly channels: ReadonlySet<number>;
  readonly people: ReadonlySet<number>;
}

/**
 * Returns drafts in the form in which they are stored, or throws the first error. `at` is each draft's place in the
 * request. Channels and people that the author may not see get the same error as missing ones. See
 * protocol/saved#drafts.
 */
export async function checkedDrafts(
  tx: ActorReadTx,
  drafts: readonly { readonly at: string; readonly sent: SentDraft }[],
): Promise<readonly DraftContent[]> {
  const reachable = await reachableBy(
    tx,
    drafts.map(({ sent }) => sent),
  );
  return drafts.map(({ at, sent }) => checkedDraft(at, sent, reachable, tx.now));
}

function checkedDraft(at: string, sent: SentDraft, reachable: Reachable, now: number): DraftContent {
  const content = sent.content.trimEnd().replace(/^\n+/, '');
  if (content === '') throw ParameterFault({ fault: `${at}["content"] cannot be blank` });
  const edited_at = sent.timestamp ?? now;
  if (edited_at < 0) throw NegativeTimestamp();
  if (edited_at > MAX_TIMESTAMP) throw ParameterFault({ fault: `${at}["timestamp"] is too large` });
  return { ...placeOf(sent, reachable), content: cutContent(content), edited_at: Math.floor(edited_at) };
}

function placeOf({ type, to, topic }: SentDraft, { channels, people }: Reachable) {
  if (type === '') return { draft_type: type, draft_to: [], topic: '' };
  if (type === 'stream') {
    if (topic.includes('\u0000')) throw TopicNullBytes();
    if (to.length !== 1) throw OneChannelOnly();
    if (!to.every((id) => channels.has(id))) throw InvalidChannelId();
    return {
      draft_type: type,
      draft_to: to.map((id) => asId<ChannelId>(id)),
      topic: truncate(topic, MAX_TOPIC, '...'),
    };
  }
  const unknown = to.find((id) => !people.has(id));
  if (unknown !== undefined) throw InvalidRecipientId({ id: unknown });
  return { draft_type: type, draft_to: [...new Set(to)].map((id) => asId<UserId>(id)), topic: '' };
}

/** Returns which of the channels and people in the drafts the author may see. */
async function reachableBy(tx: ActorReadTx, drafts: readonly SentDraft[]): Promise<Reachable> {
  const named = (type: SentDraft['type']) => [
    ...new Set(drafts.filter((one) => one.type === type).flatMap(({ to }) => to)),
  ];
  const channelIds = named('stream').map((id) => asId<ChannelId>(id));
  const channels = [...(await findChannels(tx, channelIds)).values()];
  const accessByChannel = await accessByChannelIn(tx, channels);
  const isOpen = (channel: ChannelRow) => {
    const access: ChannelAccess | undefined = accessByChannel.get(channel.id);
    return access !== undefined && mayRead(channel, access);
  };
  const userIds = named('private').map((id) => asId<UserId>(id));
  const people = [...(await findUsers(tx, userIds)).keys()];
  return {
    channels: new Set(channels.filter(isOpen).map(({ id }) => id)),
    people: new Set(people.filter((id) => !tx.actor.viewer.hidden?.has(id))),
  };
}
