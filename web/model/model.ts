import { batch, signal } from '@preact/signals';
import { applyNewestEvent } from '#features/messages/newest/apply';
import { applyStatusEvent } from '#features/user-status/apply';
import type { WireDataExport } from '../../src/features/data-exports/wire.ts';
import type { WireStatus } from '../../src/features/user-status/wire.ts';
import { Channels } from './channels.ts';
import { type AnyEvent, Facts } from './facts.ts';
import { type Conversation, conversationOf, keyOf } from './keys.ts';
import { People } from './people.ts';
import { Presences } from './presence.ts';
import type { RegisterState } from './register.ts';
import { Table } from './table.ts';
import { Policy, TopicPolicies } from './topics.ts';
import { Typing } from './typing.ts';
import { type MessageEvent, UnreadIndex } from './unread.ts';

const MESSAGE_EVENTS: ReadonlySet<string> = new Set([
  'message',
  'update_message',
  'update_message_flags',
  'delete_message',
]);
const NEWEST_EVENTS: ReadonlySet<string> = new Set([
  'message',
  'delete_message',
  'update_message',
  'subscription',
  'stream',
  'realm_user',
  'user_group',
]);

/**
 * The register state, updated by events: the state at N plus the events after N is the state now. Uses neither network
 * nor page, so the same code runs in tests.
 */
export class Model {
  readonly facts = new Facts();
  readonly people = new People();
  readonly channels = new Channels();
  readonly policies = new TopicPolicies();
  readonly statuses = new Table<WireStatus>();
  readonly presences = new Presences();
  readonly typing = new Typing();
  readonly unread = new UnreadIndex(() => this.me, {
    isSubscribed: (channelId) => this.channels.table.peek(channelId)?.membership === 'subscribed',
    isMuted: (conversation, key) => this.isMuted(conversation, key),
  });
  readonly starred = signal<ReadonlySet<number>>(new Set());
  /** All exports of the organization, from the last event about one; undefined before the first. */
  readonly exports = signal<readonly WireDataExport[] | undefined>(undefined);
  /** Position in the log that the state has reached. */
  readonly position = signal(-1);

  /** ID of the viewer; 0 for a visitor without an account. */
  get me(): number {
    return this.facts.peek('user_id') ?? 0;
  }

  /** Loads a register response, or an earlier result of `toWire`, at once. */
  load(state: RegisterState): void {
    batch(() => {
      for (const part = this.parts(state); part.next().done !== true; );
    });
  }

  /** `load` in parts, between which nothing may be applied; the last one sets `position`. */
  *parts(state: RegisterState): Generator<void> {
    yield this.facts.load({ ...state });
    yield this.people.load(state);
    yield this.channels.load(state);
    this.policies.load(state.user_topics);
    this.statuses.load(Object.entries(state.user_status ?? {}).map(([id, one]) => [Number(id), one]));
    yield this.presences.load(state.presences, this.facts.peek('server_presence_offline_threshold_seconds'));
    if (state.unread_msgs) yield* this.unread.load(state.unread_msgs);
    this.starred.value = new Set(state.starred_messages);
    // Events may have been missed, so the list is fetched when it is shown.
    this.exports.value = undefined;
    this.position.value = state.last_event_id;
  }

  /** Applies one event. `now` is in milliseconds. An event of an unknown type changes nothing. */
  apply(event: AnyEvent, now: number): void {
    if (event.id <= this.position.peek()) return;
    batch(() => {
      this.#apply(event, now);
      this.position.value = event.id;
    });
  }

  #apply(event: AnyEvent, now: number): void {
    const { me } = this;
    // Events come from the wire, so they are cast; each function gets the events of its type.
    const wire = event as never;
    this.facts.apply(event);
    if (event.type === 'realm_user') this.facts.merge(this.people.apply(wire, me));
    if (event.type === 'custom_profile_fields') this.people.applyFields(event);
    if (event.type === 'stream' || event.type === 'subscription') this.#applyChannel(event);
    if (event.type === 'user_topic') this.unread.recount(this.policies.apply(wire).channelId);
    if (event.type === 'user_status') this.#applyStatus(wire);
    if (event.type === 'presence' && event['presences']) this.presences.merge(event['presences'] as object as never);
    if (event.type === 'typing')
      this.typing.apply(wire, me, now, this.facts.peek('server_typing_started_expiry_period_milliseconds') ?? 15_000);
    if (event.type === 'realm_export') this.exports.value = event['exports'] as readonly WireDataExport[];
    if (MESSAGE_EVENTS.has(event.type)) this.#applyMessage(event);
    if (NEWEST_EVENTS.has(event.type)) this.facts.merge(applyNewestEvent(this.#newestState(), wire, me));
  }

  #applyChannel(event: AnyEvent): void {
    const affected = channelsIn(event);
    this.channels.apply(event as never, this.me);
    for (const id of affected) {
      if (this.channels.table.peek(id)?.membership === 'subscribed') this.unread.recount(id);
      else this.unread.leave(id);
    }
  }

  #applyMessage(event: AnyEvent): void {
    this.unread.apply(event as unknown as MessageEvent);
    if (event.type === 'message') {
      const { message } = event as unknown as { message: Parameters<typeof conversationOf>[0] & { sender_id: number } };
      this.typing.stopped(keyOf(conversationOf(message)), message.sender_id);
    }
    const ids = event['messages'] ?? event['message_ids'];
    if (!Array.isArray(ids) || (event.type === 'update_message_flags' && event['flag'] !== 'starred')) return;
    if (event.type === 'update_message_flags' && event['op'] === 'add')
      this.starred.value = new Set([...this.starred.peek(), ...(ids as number[])]);
    else if (event.type !== 'update_message' && ids.some((id: number) => this.starred.peek().has(id)))
      this.starred.value = new Set([...this.starred.peek()].filter((id) => !ids.includes(id)));
  }

  #applyStatus(event: Parameters<typeof applyStatusEvent>[1]): void {
    const before = this.statuses.peek(event.user_id);
    const { user_status } = applyStatusEvent({ user_status: before ? { [event.user_id]: before } : {} }, event);
    const after = user_status[event.user_id];
    if (after) this.statuses.set(event.user_id, after);
    else this.statuses.delete(event.user_id);
  }

  /**
   * The part of the state that determines the newest messages; lists of channels are built only if an event needs them.
   */
  #newestState(): Parameters<typeof applyNewestEvent>[0] {
    const { facts, channels } = this;
    const listed = (membership: string) =>
      [...channels.table.peekAll().values()].filter((one) => one.membership === membership).map((one) => one.channel);
    const isGuest = facts.peek('is_guest');
    return {
      max_message_id: facts.peek('max_message_id'),
      recent_private_conversations: facts.peek('recent_private_conversations'),
      ...(isGuest !== undefined && { is_guest: isGuest }),
      get subscriptions() {
        return listed('subscribed');
      },
      get unsubscribed() {
        return listed('unsubscribed');
      },
    };
  }

  /**
   * Whether a conversation is muted: by its topic's policy, or if there is none, by its channel. Pass `key` if it is
   * already computed.
   */
  isMuted(conversation: Conversation, key = keyOf(conversation)): boolean {
    if ('people' in conversation) return false;
    const policy = this.policies.peek(key);
    if (policy !== Policy.none) return policy === Policy.muted;
    const row = this.channels.table.peek(conversation.channelId);
    return row?.membership === 'subscribed' && row.channel.is_muted;
  }

  /** Returns the current state in the form of the register response, to be stored by the browser. */
  toWire(): RegisterState {
    const rows = [...this.channels.table.peekAll().values()];
    const listed = (membership: string) =>
      rows.filter((one) => one.membership === membership).map((one) => one.channel);
    const people = [...this.people.table.peekAll().values()];
    const users = (isActive: boolean) => people.filter((one) => one.isActive === isActive).map((one) => one.user);
    return {
      ...this.facts.toWire(),
      realm_users: users(true),
      realm_non_active_users: users(false),
      cross_realm_bots: [],
      subscriptions: listed('subscribed'),
      unsubscribed: listed('unsubscribed'),
      never_subscribed: listed('never'),
      user_topics: this.policies.rows,
      user_status: Object.fromEntries(this.statuses.peekAll()),
      presences: Object.fromEntries(this.presences.table.peekAll()),
      unread_msgs: this.unread.toWire(),
      starred_messages: [...this.starred.peek()],
      last_event_id: this.position.peek(),
    } as unknown as RegisterState;
  }
}

/** IDs of the channels that an event names. */
function channelsIn(event: AnyEvent): readonly number[] {
  const { stream_ids, streams, subscriptions, stream_id, op } = event;
  if (op === 'peer_add' || op === 'peer_remove') return [];
  if (typeof stream_id === 'number') return [stream_id];
  if (Array.isArray(stream_ids)) return stream_ids as number[];
  const named = (streams ?? subscriptions ?? []) as readonly { readonly stream_id: number }[];
  return named.map((one) => one.stream_id);
}
