import { MAX_EMOJI, MOST_PARTS } from '#features/messages';
import { asId } from '#kernel/ids';
import { insertWhole, type WriteTx } from '#kernel/store';
import { takeCodePoints } from '#kernel/text';
import type { Entry, Tables } from '../entry.ts';
import { unique } from '../groups.ts';
import { keyedInParts, type Write } from '../keyed.ts';
import { emojiCode } from '../personal/index.ts';
import type { Plan } from '../plan.ts';
import type { Gathered } from './gathered.ts';

/** Longest name of an emoji, in code points. */
const MAX_NAME = 100;

/** The different emoji of each message, of which there are so many at most as the API accepts. */
export class Emoji {
  readonly #known = new Map<number, Set<string>>();

  /** Notes an emoji of a message; returns whether the message has room for it. */
  hasRoomFor(message: number, emoji: string): boolean {
    const own = this.#known.get(message) ?? new Set();
    if (own.size >= MAX_EMOJI && !own.has(emoji)) return false;
    this.#known.set(message, own.add(emoji));
    return true;
  }
}

/** Stores reactions to messages that came, and parts of their widgets. */
export async function importMessageParts(write: Write, plan: Plan, gathered: Gathered): Promise<void> {
  const { users, messages, realmId: realm_id } = plan;
  const messageOf = (entry: Entry, name: string) => {
    const id = messages.of(entry.idOrNull(name));
    return id !== undefined && gathered.ids.has(id) ? id : undefined;
  };
  const reactions = new Set<string>();
  const emoji = new Emoji();
  const count = await keyedInParts(write, plan, 'reaction', (entry, id) => {
    const [message_id, user_id] = [messageOf(entry, 'message'), users.of(entry.idOrNull('user_profile'))];
    const reaction_type = entry.text('reaction_type', 'unicode_emoji');
    const emoji_code = emojiCode(plan, entry);
    const key = `${message_id} ${user_id} ${reaction_type} ${emoji_code}`;
    if (message_id === undefined || user_id === undefined || reactions.has(key)) return undefined;
    reactions.add(key);
    if (!emoji.hasRoomFor(message_id, `${reaction_type} ${emoji_code}`)) {
      plan.report.remark('reactions left out', `${entry.placeOf('message')} has too many different ones`);
      return undefined;
    }
    return {
      id: asId(id),
      realm_id,
      message_id,
      user_id,
      emoji_name: takeCodePoints(entry.text('emoji_name'), MAX_NAME),
      emoji_code,
      reaction_type,
    };
  });
  plan.report.count('reactions', count);
  const taken = new Map<number, { parts: number; characters: number }>();
  await keyedInParts(write, plan, 'submessage', (entry, id) => {
    const [message_id, sender_id] = [messageOf(entry, 'message'), users.of(entry.idOrNull('sender'))];
    if (message_id === undefined || sender_id === undefined) return undefined;
    const [msg_type, content] = [entry.text('msg_type', 'widget'), entry.text('content', '')];
    const { parts, characters } = taken.get(message_id) ?? { parts: 0, characters: 0 };
    const own = { parts: parts + 1, characters: characters + content.length };
    if (own.parts > MOST_PARTS.parts || own.characters > MOST_PARTS.characters) {
      plan.report.remark('parts of polls left out', `${entry.placeOf('message')} has too many`);
      return undefined;
    }
    taken.set(message_id, own);
    return { id: asId(id), realm_id, message_id, sender_id, msg_type, content };
  });
}

/** The files of an archive: what it says of them, and which of them were stored. */
interface StoredFiles {
  readonly attachments: Tables;
  readonly stored: ReadonlySet<number>;
}

/** Stores which files the messages that came use. */
export async function importFileUses(
  tx: WriteTx,
  plan: Plan,
  gathered: Gathered,
  { attachments, stored }: StoredFiles,
): Promise<void> {
  const { messages, realmId: realm_id } = plan;
  const uses = attachments.rows('zerver_attachment').flatMap((entry) =>
    entry.ids('messages').flatMap((message) => {
      const [attachment_id, message_id] = [plan.attachments.of(entry.id('id')), messages.of(message)];
      if (attachment_id === undefined || message_id === undefined) return [];
      if (!stored.has(attachment_id) || !gathered.ids.has(message_id)) return [];
      return [{ realm_id, attachment_id, message_id }];
    }),
  );
  await insertWhole(tx, 'attachment_use', unique(uses));
}
