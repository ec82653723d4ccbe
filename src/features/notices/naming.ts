import type { ChannelRow } from '#features/channels';
import { quoted, silentMention } from '#features/messages';
import { guestsAmong, knows, readVisibility, type UserRow } from '#features/users';
import type { ActorReadTx } from '#kernel/auth';
import { type Kind, type NoticeWords, wordsOf } from './words/index.ts';

/** A description as a quotation. */
export function quotedDescription(text: string, { noDescription }: NoticeWords): string {
  return text === '' ? noDescription : quoted(text);
}

/** The kind of a channel. See protocol/channels#creation-effects. */
export function kindOf(
  channel: Pick<ChannelRow, 'invite_only' | 'is_web_public' | 'history_public_to_subscribers'>,
): Kind {
  if (channel.is_web_public) return 'webPublic';
  if (!channel.invite_only) return 'public';
  return channel.history_public_to_subscribers ? 'shared' : 'protected';
}

/** A retention period in words. See protocol/channels#notices. */
export function retentionOf(days: number | null, ofOrganization: number, words: NoticeWords): string {
  const period = words.period(days ?? ofOrganization);
  return days === null ? words.usual(period) : period;
}

/**
 * Returns a function that names the actor in notices for single people: guests who may not know of the actor get no
 * name. See protocol/events#audiences, SEES.
 */
export async function namesOf(tx: ActorReadTx, readers: readonly UserRow[]): Promise<(reader: UserRow) => string> {
  const visibility = await readVisibility(tx, guestsAmong(tx.realm, readers));
  const { actor } = tx;
  const name = silentMention({ full_name: actor.fullName, id: actor.userId });
  const who = { id: actor.userId, is_bot: actor.isBot };
  return (reader) => (knows(visibility, reader.id, who) ? name : wordsOf(tx.realm).somebody);
}
