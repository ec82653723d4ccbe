import { batch, type Signal, signal } from '@preact/signals';
import type { applyMessageEvent } from '#features/messages/apply';
import { type Conversation, type ConversationKey, conversationOf, directWith, keyOf, othersIn } from './keys.ts';
import { type Count, NO_COUNT, Sums } from './sums.ts';

export type MessageEvent = Parameters<typeof applyMessageEvent>[1];
type UnreadMessages = Parameters<typeof applyMessageEvent>[0]['unread_msgs'];

interface Unread {
  readonly key: ConversationKey;
  readonly isMentioned: boolean;
  readonly isForAll: boolean;
}

/** The unread messages of one conversation. */
export interface UnreadConversation {
  readonly key: ConversationKey;
  readonly conversation: Conversation;
  readonly ids: ReadonlySet<number>;
}

/** The mutable form, with the number of mentions of the reader, and of mentions only by a wildcard. */
interface Held extends UnreadConversation {
  readonly ids: Set<number>;
  mentions: number;
  forAll: number;
}

type ChannelConversation = Extract<Conversation, { readonly channelId: number }>;

/** Says which channels are subscribed and which conversations are muted; both determine the counts. */
export interface Muting {
  isSubscribed(channelId: number): boolean;
  isMuted(conversation: Conversation, key: ConversationKey): boolean;
}

/**
 * Counts unread messages incrementally. The slice's `applyMessageEvent` computes the same, but over all unread messages
 * for each event; a property test compares the two.
 */
export class UnreadIndex {
  readonly #me: () => number;
  readonly #muting: Muting;
  readonly #messages = new Map<number, Unread>();
  /** IDs of the messages that may mention the reader. */
  readonly #marked = new Set<number>();
  readonly #conversations = new Map<ConversationKey, Held>();
  /** Keys of the conversations of each channel, and of the direct ones. */
  readonly #inPlace = new Map<string, Set<ConversationKey>>();
  readonly #sums = new Sums();
  readonly #versions = new Map<string, Signal<number>>();
  /** Whether more unread messages exist than the server sent. */
  isCut = false;

  constructor(me: () => number, muting: Muting) {
    this.#me = me;
    this.#muting = muting;
  }

  /** Loads all messages; pauses after each conversation, so that the caller can do other work in between. */
  *load(unread: UnreadMessages): Generator<void> {
    for (const one of [this.#messages, this.#marked, this.#conversations, this.#inPlace, this.#sums]) one.clear();
    const mentions = new Set<number>(unread.mentions);
    const add = (ids: readonly number[], conversation: Conversation) => {
      const held = this.#holding(conversation);
      if (!held) return;
      for (const id of ids) this.#put(id, held, { isMentioned: mentions.has(id), isForAll: false });
      this.#changed(held.key, conversation);
    };
    for (const { stream_id, topic, unread_message_ids } of unread.streams)
      yield add(unread_message_ids, { channelId: stream_id, topic });
    for (const { other_user_id, unread_message_ids } of unread.pms)
      yield add(unread_message_ids, directWith([other_user_id], this.#me()));
    for (const { user_ids_string, unread_message_ids } of unread.huddles)
      yield add(unread_message_ids, { people: user_ids_string.split(',').map(Number) });
    this.isCut = unread.old_unreads_missing;
    for (const version of this.#versions.values()) version.value += 1;
  }

  apply(event: MessageEvent): void {
    batch(() => this.#apply(event));
  }

  #apply(event: MessageEvent): void {
    switch (event.type) {
      case 'message':
        if (!event.flags.includes('read'))
          this.#add(event.message.id, conversationOf(event.message), marks(event.flags));
        return;
      case 'delete_message':
        return this.#removeAll(event.message_ids);
      case 'update_message':
        return this.#update(event);
      case 'update_message_flags':
        return this.#flag(event);
      default:
        return;
    }
  }

  /** Removes the unread messages of a channel that the viewer left. */
  leave(channelId: number): void {
    batch(() => {
      for (const { ids } of this.#heldIn(`channel ${channelId}`)) this.#removeAll([...ids]);
    });
  }

  /** Recounts a channel in which something was muted or unmuted. */
  recount(channelId: number): void {
    batch(() => {
      for (const { key, conversation } of this.#heldIn(`channel ${channelId}`)) this.#changed(key, conversation);
    });
  }

  has(messageId: number): boolean {
    return this.#messages.has(messageId);
  }

  /** Counts the unread messages of a conversation, muted or not. */
  inConversation(key: ConversationKey): Count {
    this.#watch(key);
    return this.peek(key);
  }

  /** Counts the same without subscribing. */
  peek(key: ConversationKey): Count {
    const held = this.#conversations.get(key);
    if (!held) return NO_COUNT;
    return { unread: held.ids.size, mentions: held.mentions + (this.#isMuted(held) ? 0 : held.forAll) };
  }

  /** IDs of the unread messages of a conversation, ascending. */
  idsIn(key: ConversationKey): readonly number[] {
    this.#watch(key);
    return [...(this.#conversations.get(key)?.ids ?? [])].toSorted((a, b) => a - b);
  }

  /** Counts the unread messages of a channel, without muted topics. */
  inChannel(channelId: number): Count {
    return this.#sumOf(`channel ${channelId}`);
  }

  /** Topics of a channel with unread messages, the newest first. Iterates only over that channel. */
  topicsIn(channelId: number): readonly ChannelConversation[] {
    this.#watch(`channel ${channelId}`);
    return this.#heldIn(`channel ${channelId}`)
      .map(({ conversation, ids }) => ({ conversation, newest: newestOf(ids) }))
      .toSorted((a, b) => b.newest - a.newest)
      .flatMap(({ conversation }) => ('channelId' in conversation ? [conversation] : []));
  }

  /** Counts all unread messages that are not muted. */
  get total(): Count {
    return this.#sumOf('all');
  }

  /** Counts the unread direct messages. */
  get direct(): Count {
    return this.#sumOf('direct');
  }

  /** Direct conversations with unread messages. */
  get directConversations(): readonly UnreadConversation[] {
    this.#watch('direct');
    return this.#heldIn('direct');
  }

  /** All conversations with unread messages; subscribes to all. */
  get conversations(): readonly UnreadConversation[] {
    this.#watch('all');
    return [...this.#conversations.values()];
  }

  /** IDs of the unread messages that mention the reader, ascending. */
  get mentions(): readonly number[] {
    this.#watch('all');
    return [...this.#marked].filter((id) => this.#isMention(id)).toSorted((a, b) => a - b);
  }

  /** Returns the unread messages in the form of the register response, to be stored. */
  toWire(): object {
    const streams: object[] = [];
    const pms: object[] = [];
    const huddles: object[] = [];
    for (const { conversation, ids } of this.#conversations.values()) {
      const unread_message_ids = [...ids].toSorted((a, b) => a - b);
      if ('channelId' in conversation)
        streams.push({ stream_id: conversation.channelId, topic: conversation.topic, unread_message_ids });
      else if (conversation.people.length > 2)
        huddles.push({ user_ids_string: conversation.people.join(','), unread_message_ids });
      else {
        const [other] = othersIn(conversation, this.#me());
        pms.push({ other_user_id: other, sender_id: other, unread_message_ids });
      }
    }
    const count = this.total.unread;
    return { streams, pms, huddles, mentions: this.mentions, count, old_unreads_missing: this.isCut };
  }

  #isMention(id: number): boolean {
    const one = this.#messages.get(id);
    const held = one && this.#conversations.get(one.key);
    return held !== undefined && (one?.isMentioned === true || !this.#isMuted(held));
  }

  #isMuted({ conversation, key }: Pick<Held, 'conversation' | 'key'>): boolean {
    return 'channelId' in conversation && this.#muting.isMuted(conversation, key);
  }

  #heldIn(place: string): readonly Held[] {
    return [...(this.#inPlace.get(place) ?? [])].flatMap((key) => this.#conversations.get(key) ?? []);
  }

  #sumOf(place: string): Count {
    this.#watch(place);
    return this.#sums.of(place);
  }

  #flag(event: Extract<MessageEvent, { readonly type: 'update_message_flags' }>): void {
    if (event.flag !== 'read') return;
    if (event.op === 'add') return this.#removeAll(event.all ? [...this.#messages.keys()] : event.messages);
    for (const [id, detail] of Object.entries(event.message_details ?? {})) {
      const conversation =
        detail.type === 'stream'
          ? { channelId: detail.stream_id, topic: detail.topic }
          : directWith(detail.user_ids, this.#me());
      this.#add(Number(id), conversation, { isMentioned: detail.mentioned === true, isForAll: false });
    }
  }

  #update(event: Extract<MessageEvent, { readonly type: 'update_message' }>): void {
    for (const id of new Set([event.message_id, ...event.message_ids])) {
      const one = this.#messages.get(id);
      const conversation = one && this.#conversations.get(one.key)?.conversation;
      if (!one || !conversation) continue;
      const { isMentioned, isForAll } = id === event.message_id ? marks(event.flags) : one;
      const isMoved =
        'channelId' in conversation && event.propagate_mode !== undefined && event.message_ids.includes(id);
      const next = isMoved
        ? { channelId: event.new_stream_id ?? conversation.channelId, topic: event.subject ?? conversation.topic }
        : conversation;
      this.#removeAll([id]);
      this.#add(id, next, { isMentioned, isForAll });
    }
  }

  #add(id: number, conversation: Conversation, one: Omit<Unread, 'key'>): void {
    if (this.#messages.has(id)) this.#removeAll([id]);
    const held = this.#holding(conversation);
    if (held) this.#put(id, held, one);
    this.#changed(keyOf(conversation), conversation);
  }

  /** Where the unread messages of a conversation are held; undefined for a channel whose messages do not count. */
  #holding(conversation: Conversation): Held | undefined {
    if ('channelId' in conversation && !this.#muting.isSubscribed(conversation.channelId)) return undefined;
    const key = keyOf(conversation);
    const held = this.#conversations.get(key) ?? { key, conversation, ids: new Set<number>(), mentions: 0, forAll: 0 };
    this.#conversations.set(key, held);
    const place = placeOf(conversation);
    this.#inPlace.set(place, (this.#inPlace.get(place) ?? new Set()).add(key));
    return held;
  }

  #put(id: number, held: Held, { isMentioned, isForAll }: Omit<Unread, 'key'>): void {
    this.#messages.set(id, { key: held.key, isMentioned, isForAll });
    held.ids.add(id);
    this.#mark(id, held, { isMentioned, isForAll }, 1);
  }

  /** Adds a message to those that mention the reader, or removes it from them. */
  #mark(id: number, held: Held, { isMentioned, isForAll }: Omit<Unread, 'key'>, by: 1 | -1): void {
    if (!isMentioned && !isForAll) return;
    if (by > 0) this.#marked.add(id);
    else this.#marked.delete(id);
    if (isMentioned) held.mentions += by;
    else held.forAll += by;
  }

  #removeAll(ids: readonly number[]): void {
    const touched = new Set<Held>();
    for (const id of ids) {
      const one = this.#messages.get(id);
      const held = one && this.#conversations.get(one.key);
      if (!one || !held) continue;
      this.#messages.delete(id);
      held.ids.delete(id);
      this.#mark(id, held, one, -1);
      touched.add(held);
    }
    for (const { key, conversation, ids: left } of touched) {
      if (left.size === 0) {
        this.#conversations.delete(key);
        this.#inPlace.get(placeOf(conversation))?.delete(key);
      }
      this.#changed(key, conversation);
    }
  }

  #changed(key: ConversationKey, conversation: Conversation): void {
    const { unread, mentions } = this.peek(key);
    const names = [placeOf(conversation), 'all'];
    this.#sums.set(key, names, { unread: this.#isMuted({ key, conversation }) ? 0 : unread, mentions });
    for (const name of [key, ...names]) this.#tell(name);
  }

  #tell(name: string): void {
    const version = this.#versions.get(name);
    if (version) version.value += 1;
  }

  #watch(name: string): void {
    let version = this.#versions.get(name);
    if (!version) this.#versions.set(name, (version = signal(0)));
    void version.value;
  }
}

/** Returns the highest of some IDs; 0 for none. */
export function newestOf(ids: Iterable<number>): number {
  let newest = 0;
  for (const id of ids) if (id > newest) newest = id;
  return newest;
}

const placeOf = (conversation: Conversation) =>
  'people' in conversation ? 'direct' : `channel ${conversation.channelId}`;

const marks = (flags: readonly string[]) => ({
  isMentioned: flags.includes('mentioned'),
  isForAll: flags.includes('wildcard_mentioned'),
});
