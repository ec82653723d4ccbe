import { batch, type Signal, signal } from '@preact/signals';
import type { applyMessageEvent } from '#features/messages/apply';
import { type Conversation, type ConversationKey, conversationOf, directWith, keyOf, othersIn } from './keys.ts';

export type MessageEvent = Parameters<typeof applyMessageEvent>[1];
type UnreadMessages = Parameters<typeof applyMessageEvent>[0]['unread_msgs'];

interface Unread {
  readonly key: ConversationKey;
  readonly isMentioned: boolean;
  readonly isForAll: boolean;
}

/** What is unread in one conversation. */
export interface UnreadConversation {
  readonly conversation: Conversation;
  readonly ids: ReadonlySet<number>;
}

type ChannelConversation = Extract<Conversation, { readonly channelId: number }>;

/** Who decides what counts: whether one is subscribed, and what is muted. */
export interface Muting {
  isSubscribed(channelId: number): boolean;
  isMuted(conversation: Conversation): boolean;
}

/** How much there is to read, and how much of it is about the reader. */
export interface Count {
  readonly unread: number;
  readonly mentions: number;
}

/**
 * The unread messages, counted as they come and go. The slice's `applyMessageEvent` says the same, but looks at all unread
 * messages for each event; a property test holds the two together.
 */
export class UnreadIndex {
  readonly #me: () => number;
  readonly #muting: Muting;
  readonly #messages = new Map<number, Unread>();
  readonly #conversations = new Map<ConversationKey, { conversation: Conversation; ids: Set<number> }>();
  readonly #inChannel = new Map<number, Set<ConversationKey>>();
  readonly #versions = new Map<string, Signal<number>>();
  /** More unread messages exist than the server told. */
  isCut = false;

  constructor(me: () => number, muting: Muting) {
    this.#me = me;
    this.#muting = muting;
  }

  load(unread: UnreadMessages): void {
    batch(() => {
      for (const map of [this.#messages, this.#conversations, this.#inChannel]) map.clear();
      const mentions = new Set<number>(unread.mentions);
      const add = (ids: readonly number[], conversation: Conversation) => {
        for (const id of ids) this.#add(id, conversation, { isMentioned: mentions.has(id), isForAll: false });
      };
      for (const { stream_id, topic, unread_message_ids } of unread.streams)
        add(unread_message_ids, { channelId: stream_id, topic });
      for (const { other_user_id, unread_message_ids } of unread.pms)
        add(unread_message_ids, directWith([other_user_id], this.#me()));
      for (const { user_ids_string, unread_message_ids } of unread.huddles)
        add(unread_message_ids, { people: user_ids_string.split(',').map(Number) });
      this.isCut = unread.old_unreads_missing;
      for (const version of this.#versions.values()) version.value += 1;
    });
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

  /** The channel was left: what is unread there is not counted any more. */
  leave(channelId: number): void {
    const keys = [...(this.#inChannel.get(channelId) ?? [])];
    batch(() => {
      for (const key of keys) this.#removeAll([...(this.#conversations.get(key)?.ids ?? [])]);
    });
  }

  /** Something was muted or unmuted there. */
  recount(channelId: number): void {
    batch(() => {
      for (const key of this.#inChannel.get(channelId) ?? []) this.#tell(key);
      this.#tell(`channel ${channelId}`);
      this.#tell('all');
    });
  }

  has(messageId: number): boolean {
    return this.#messages.has(messageId);
  }

  /** What is unread in a conversation, whether it is muted or not. */
  inConversation(key: ConversationKey): Count {
    this.#watch(key);
    return this.#countOf(key, false);
  }

  /** IDs of the unread messages of a conversation, ascending. */
  idsIn(key: ConversationKey): readonly number[] {
    this.#watch(key);
    return [...(this.#conversations.get(key)?.ids ?? [])].toSorted((a, b) => a - b);
  }

  /** What is unread in a channel, without what is muted. */
  inChannel(channelId: number): Count {
    this.#watch(`channel ${channelId}`);
    return this.#sum(this.#inChannel.get(channelId) ?? [], true);
  }

  /** Topics of a channel with unread messages; of ten thousand channels only that one is looked at. */
  topicsIn(channelId: number): readonly ChannelConversation[] {
    this.#watch(`channel ${channelId}`);
    return [...(this.#inChannel.get(channelId) ?? [])].flatMap((key) => {
      const conversation = this.#conversations.get(key)?.conversation;
      return conversation && 'channelId' in conversation ? [conversation] : [];
    });
  }

  /** All that is unread and not muted. */
  get total(): Count {
    this.#watch('all');
    return this.#sum(this.#conversations.keys(), true);
  }

  /** Unread direct messages. */
  get direct(): Count {
    this.#watch('all');
    const keys = [...this.#conversations.keys()].filter((key) => key.startsWith('d'));
    return this.#sum(keys, false);
  }

  /** Conversations with unread messages, and a subscription to all. */
  get conversations(): readonly UnreadConversation[] {
    this.#watch('all');
    return [...this.#conversations.values()];
  }

  /** Unread messages that mention the reader, ascending. */
  get mentions(): readonly number[] {
    this.#watch('all');
    return [...this.#messages]
      .filter(([, one]) => this.#isMention(one))
      .map(([id]) => id)
      .toSorted((a, b) => a - b);
  }

  /** All of it in the form of the register response, to be kept. */
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

  #isMention(one: Unread): boolean {
    return one.isMentioned || (one.isForAll && !this.#isMuted(one.key));
  }

  #isMuted(key: ConversationKey): boolean {
    const conversation = this.#conversations.get(key)?.conversation;
    return conversation !== undefined && 'channelId' in conversation && this.#muting.isMuted(conversation);
  }

  #sum(keys: Iterable<ConversationKey>, withoutMuted: boolean): Count {
    let [unread, mentions] = [0, 0];
    for (const key of keys) {
      const count = this.#countOf(key, withoutMuted);
      unread += count.unread;
      mentions += count.mentions;
    }
    return { unread, mentions };
  }

  #countOf(key: ConversationKey, withoutMuted: boolean): Count {
    const held = this.#conversations.get(key);
    if (!held) return { unread: 0, mentions: 0 };
    let mentions = 0;
    for (const id of held.ids) {
      const one = this.#messages.get(id);
      if (one && this.#isMention(one)) mentions += 1;
    }
    return { unread: withoutMuted && this.#isMuted(key) ? 0 : held.ids.size, mentions };
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
    if ('channelId' in conversation && !this.#muting.isSubscribed(conversation.channelId)) return;
    if (this.#messages.has(id)) this.#removeAll([id]);
    const key = keyOf(conversation);
    this.#messages.set(id, { ...one, key });
    const held = this.#conversations.get(key);
    if (held) held.ids.add(id);
    else this.#conversations.set(key, { conversation, ids: new Set([id]) });
    if ('channelId' in conversation) {
      const keys = this.#inChannel.get(conversation.channelId) ?? new Set();
      this.#inChannel.set(conversation.channelId, keys.add(key));
    }
    this.#changed(key, conversation);
  }

  #removeAll(ids: readonly number[]): void {
    for (const id of ids) {
      const one = this.#messages.get(id);
      const held = one && this.#conversations.get(one.key);
      if (!one || !held) continue;
      this.#messages.delete(id);
      held.ids.delete(id);
      if (held.ids.size === 0) {
        this.#conversations.delete(one.key);
        if ('channelId' in held.conversation) this.#inChannel.get(held.conversation.channelId)?.delete(one.key);
      }
      this.#changed(one.key, held.conversation);
    }
  }

  #changed(key: ConversationKey, conversation: Conversation): void {
    this.#tell(key);
    if ('channelId' in conversation) this.#tell(`channel ${conversation.channelId}`);
    this.#tell('all');
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

const marks = (flags: readonly string[]) => ({
  isMentioned: flags.includes('mentioned'),
  isForAll: flags.includes('wildcard_mentioned'),
});
