import type { WholeRow } from '#kernel/store';
import { Emoji, type Prepared } from '../messages/index.ts';
import type { Pouring } from './messages.ts';

/** The reactions to some messages; own emoji of the organization are called by their names. */
export function reactionRows(
  { filling, belongings }: Pouring,
  messages: readonly Prepared[],
): readonly Omit<WholeRow<'reaction'>, 'id'>[] {
  const { plan, realm } = filling;
  const emoji = new Emoji();
  const found = new Map<string, Omit<WholeRow<'reaction'>, 'id'>>();
  for (const { entry, row } of messages)
    for (const reaction of belongings.reactions.get(entry.id('id')) ?? []) {
      const user_id = plan.users.of(reaction.idOrNull('user_profile'));
      const [emoji_name, reaction_type] = [reaction.text('emoji_name'), reaction.text('reaction_type')];
      const own = belongings.emoji.get(emoji_name);
      const emoji_code = reaction_type === 'realm_emoji' ? own?.toString() : reaction.text('emoji_code');
      if (user_id === undefined || emoji_code === undefined) {
        plan.report.remark('reactions left out', `there is no emoji ${emoji_name}`);
        continue;
      }
      const key = `${row.id} ${user_id} ${reaction_type} ${emoji_code}`;
      if (!emoji.hasRoomFor(row.id, `${reaction_type} ${emoji_code}`)) {
        plan.report.remark('reactions left out', `${reaction.placeOf('message')} has too many different ones`);
        continue;
      }
      found.set(key, { realm_id: realm.id, message_id: row.id, user_id, emoji_name, emoji_code, reaction_type });
    }
  return [...found.values()];
}
