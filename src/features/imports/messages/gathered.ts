import { NumberSet } from '#kernel/lists';
import type { MessageRow } from '#features/messages';
import { asId, type ChannelId, type MessageId, type RecipientId, type UserId } from '#kernel/ids';
import { freshIds, insertWhole, type RealmWriteTx } from '#kernel/store';

/** What is gathered from all messages and stored after them. */
export class Gathered {
  readonly #direct = new Map<string, RecipientId>();
  /** By user and conversation, in ascending order. */
  readonly unread = new Map<string, number[]>();
  readonly newest = new Map<RecipientId, number>();
  readonly first = new Map<ChannelId, { id: MessageId; at: number; last: number }>();
  readonly conversations = new Map<RecipientId, readonly UserId[]>();
  readonly ids = new NumberSet();

  /** The conversation of some people; one that is new is stored. */
  async conversation(
    tx: RealmWriteTx,
    people: readonly UserId[],
    group: RecipientId | undefined,
  ): Promise<RecipientId> {
    const ordered = [...new Set(people)].toSorted((a, b) => a - b);
    const participants_key = ordered.join(',');
    const known = this.#direct.get(participants_key);
    if (known !== undefined) return known;
    const id = group ?? asId<RecipientId>((await freshIds(tx, 'recipient', 1))[0] ?? 0);
    const realm_id = tx.realmId;
    await insertWhole(tx, 'recipient', [{ id, realm_id, channel_id: null, participants_key }]);
    await insertWhole(
      tx,
      'direct_participant',
      ordered.map((user_id) => ({ realm_id, recipient_id: id, user_id })),
    );
    this.#direct.set(participants_key, id);
    this.conversations.set(id, ordered);
    return id;
  }
}

/** Notes what a message says of its conversation and channel. */
export function note(gathered: Gathered, { id, recipient_id, channel_id, sent_at }: MessageRow): void {
  gathered.ids.add(id);
  gathered.newest.set(recipient_id, Math.max(gathered.newest.get(recipient_id) ?? 0, id));
  if (channel_id === null) return;
  const known = gathered.first.get(channel_id);
  if (known) known.last = Math.max(known.last, sent_at);
  else gathered.first.set(channel_id, { id, at: sent_at, last: sent_at });
}
