/** What the server tells of a message. See protocol/push#delivery. */
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

/** Messages that are to vanish. */
export interface RemovePayload {
  readonly type: 'remove';
  readonly user_id: number;
  readonly message_ids: readonly number[];
}

/** Shows that notifications arrive. */
export interface TestPayload {
  readonly type: 'test';
  readonly realm_name: string;
}

type Payload = MessagePayload | RemovePayload | TestPayload;

/** What was pushed; undefined when it is nothing that this release knows. */
export function parsePayload(text: string | undefined): Payload | undefined {
  try {
    const value: unknown = JSON.parse(text ?? '');
    if (isOf(value, MESSAGE) || isOf(value, REMOVE) || isOf(value, TEST)) return value;
  } catch {
    // Not JSON: told from another release, or from nobody we know.
  }
  return undefined;
}

interface Form<P> {
  readonly type: string;
  readonly texts: readonly string[];
  readonly numbers: readonly string[];
  readonly lists?: readonly string[];
  /** Says the type that has this form. */
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
