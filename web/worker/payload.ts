/** A push about a new message. See protocol/push#delivery. */
export interface MessagePayload {
  readonly type: 'message';
  readonly realm_name: string;
  readonly user_id: number;
  readonly message_id: number;
  readonly time: number;
  readonly sender_full_name: string;
  readonly sender_avatar_url?: string;
  readonly content: string;
  readonly recipient_type: string;
  readonly channel_id?: number;
  readonly channel_name?: string;
  readonly topic?: string;
  readonly recipient_user_ids?: readonly number[];
  readonly url: string;
  readonly conversation: string;
}

/** A push that removes messages from notifications. */
export interface RemovePayload {
  readonly type: 'remove';
  readonly user_id: number;
  readonly message_ids: readonly number[];
}

/** A push that tests whether notifications arrive. */
export interface TestPayload {
  readonly type: 'test';
  readonly realm_name: string;
}

type Payload = MessagePayload | RemovePayload | TestPayload;

/** Parses a push; undefined for one that this release does not know. */
export function parsePayload(text: string | undefined): Payload | undefined {
  try {
    const value: unknown = JSON.parse(text ?? '');
    if (isOf(value, MESSAGE) || isOf(value, REMOVE) || isOf(value, TEST)) return value;
  } catch {
    // Not JSON: from another release of the server, or from an unknown sender.
  }
  return undefined;
}

interface Form<P> {
  readonly type: string;
  readonly texts: readonly string[];
  readonly numbers: readonly string[];
  readonly lists?: readonly string[];
  /** Never set; carries the type that this form describes. */
  readonly example?: P;
}

const MESSAGE: Form<MessagePayload> = {
  type: 'message',
  texts: ['realm_name', 'sender_full_name', 'content', 'recipient_type', 'url', 'conversation'],
  numbers: ['user_id', 'message_id', 'time'],
};
const REMOVE: Form<RemovePayload> = { type: 'remove', texts: [], numbers: ['user_id'], lists: ['message_ids'] };
const TEST: Form<TestPayload> = { type: 'test', texts: ['realm_name'], numbers: [] };

function isOf<P>(value: unknown, { type, texts, numbers, lists = [] }: Form<P>): value is P {
  if (typeof value !== 'object' || value === null) return false;
  const members = new Map(Object.entries(value));
  return (
    members.get('type') === type &&
    texts.every((name) => typeof members.get(name) === 'string') &&
    numbers.every((name) => typeof members.get(name) === 'number') &&
    lists.every((name) => Array.isArray(members.get(name)))
  );
}
