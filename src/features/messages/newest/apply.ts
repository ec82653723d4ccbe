type People = readonly { readonly id: number }[];

interface Channel {
  readonly stream_id: number;
  readonly invite_only?: boolean;
  readonly first_message_id?: number | null;
}

/**
 * The newest messages in a client's state, undefined where events do not determine them, and the fields on which they
 * depend.
 */
interface NewestState {
  readonly max_message_id?: number | undefined;
  readonly recent_private_conversations?:
    | readonly { readonly max_message_id: number; readonly user_ids: readonly number[] }[]
    | undefined;
  readonly is_guest?: boolean;
  readonly subscriptions?: readonly Channel[];
  readonly unsubscribed?: readonly Channel[];
}

type NewestEvent =
  | {
      readonly type: 'message';
      readonly message: {
        readonly id: number;
        readonly type: 'stream' | 'private';
        readonly display_recipient: string | People;
      };
    }
  | { readonly type: 'delete_message'; readonly message_ids: readonly number[] }
  | { readonly type: 'update_message'; readonly message_ids: readonly number[]; readonly new_stream_id?: number }
  | { readonly type: 'subscription'; readonly op: string; readonly subscriptions?: readonly Channel[] }
  | {
      readonly type: 'stream';
      readonly op: string;
      readonly streams?: readonly Channel[];
      readonly stream_id?: number;
      readonly property?: string;
    }
  | { readonly type: 'realm_user'; readonly person: { readonly user_id: number; readonly role?: number } }
  | { readonly type: 'user_group'; readonly op: string };

/**
 * The newest message of all and of each direct conversation after an event; undefined where it does not determine them.
 */
export function applyNewestEvent(state: NewestState, event: NewestEvent, me: number): Partial<NewestState> {
  return {
    ...('max_message_id' in state && { max_message_id: newestAfter(state, event, me) }),
    ...('recent_private_conversations' in state && { recent_private_conversations: recentAfter(state, event, me) }),
  };
}

/** A new message is newer than all; after the newest one is deleted, events do not determine which is the newest. */
function newestAfter(state: NewestState, event: NewestEvent, me: number): number | undefined {
  if (event.type === 'message') return event.message.id;
  const { max_message_id: newest } = state;
  if (newest === undefined || mayChangeVisibility(state, event, me)) return undefined;
  if (event.type === 'delete_message') return event.message_ids.includes(newest) ? undefined : newest;
  if (event.type !== 'update_message' || event.new_stream_id === undefined) return newest;
  // Newer messages may have been moved from a channel the reader does not see; no event tells whether the reader
  // received them.
  return event.message_ids.some((id) => id > newest) ? undefined : newest;
}

/** Settings that decide who may read a channel without being subscribed. See protocol/fetching#visibility. */
const OPENING = ['invite_only', 'can_subscribe_group', 'can_add_subscribers_group'];

/** Whether an event may have opened or closed messages of a channel to the reader. */
function mayChangeVisibility(state: NewestState, event: NewestEvent, me: number): boolean {
  switch (event.type) {
    case 'subscription':
      return (event.op === 'add' || event.op === 'remove') && !event.subscriptions?.every((one) => isOpen(state, one));
    case 'stream':
      if (event.op === 'create') return event.streams?.some((one) => one.first_message_id !== null) ?? true;
      if (event.op === 'update' && !OPENING.includes(event.property ?? '')) return false;
      return !state.subscriptions?.some((one) => one.stream_id === event.stream_id);
    case 'realm_user':
      return event.person.user_id === me && event.person.role !== undefined;
    case 'user_group':
      return event.op !== 'add' && event.op !== 'update';
    default:
      return false;
  }
}

/** Whether the reader may read the same messages of a channel with and without a subscription. */
function isOpen({ is_guest, subscriptions, unsubscribed }: NewestState, { stream_id }: Channel): boolean {
  const known = [...(subscriptions ?? []), ...(unsubscribed ?? [])].find((one) => one.stream_id === stream_id);
  return is_guest === false && known?.invite_only === false;
}

function recentAfter(state: NewestState, event: NewestEvent, me: number): NewestState['recent_private_conversations'] {
  const { recent_private_conversations: recent } = state;
  if (event.type === 'delete_message')
    return recent?.some((one) => event.message_ids.includes(one.max_message_id)) ? undefined : recent;
  if (event.type !== 'message' || typeof event.message.display_recipient === 'string') return recent;
  const others = event.message.display_recipient.map(({ id }) => id).filter((id) => id !== me);
  const user_ids = others.toSorted((a, b) => a - b);
  const isSame = (ids: readonly number[]) => ids.join() === user_ids.join();
  return recent && [{ max_message_id: event.message.id, user_ids }, ...recent.filter((one) => !isSame(one.user_ids))];
}
