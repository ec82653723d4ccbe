import type { ActorReadTx } from '#kernel/auth';
import { silentMention } from '#features/messages';
import { guestsAmong, knows, readVisibility, type UserRow } from '#features/users';

/**
 * How notices to single people name whoever acted: to a guest who may not know of them, not at all.
 * See protocol/events#audiences, SEES.
 */
export async function namesOf(tx: ActorReadTx, readers: readonly UserRow[]): Promise<(reader: UserRow) => string> {
  const visibility = await readVisibility(tx, guestsAmong(tx.realm, readers));
  const { actor } = tx;
  const name = silentMention({ full_name: actor.fullName, id: actor.userId });
  const who = { id: actor.userId, is_bot: actor.isBot };
  return (reader) => (knows(visibility, reader.id, who) ? name : 'Somebody');
}
