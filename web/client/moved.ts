import { conversationHash, type Names, type Route } from '../addresses/index.ts';
import { conversationIn, type Messages } from '../messages/index.ts';
import { type AnyEvent, type Conversation, keyOf } from '../model/index.ts';

interface Shown {
  readonly route: Route;
  readonly messages: Messages;
  readonly names: Names;
  readonly me: number;
}

/** Returns where the open topic was moved as a whole; undefined while any of its messages is still there. */
export function movedTo(event: AnyEvent, { route, messages, me }: Shown): MovedTopic | undefined {
  const { propagate_mode, stream_id, new_stream_id = stream_id, orig_subject, subject = orig_subject } = event;
  if (event.type !== 'update_message' || propagate_mode === undefined || propagate_mode === 'change_one') return;
  const from = route.view === 'narrow' ? conversationIn(route.narrow, me) : undefined;
  if (route.view !== 'narrow' || !from || !('channelId' in from) || typeof subject !== 'string') return;
  if (from.channelId !== stream_id || from.topic !== orig_subject) return;
  if (messages.window(route.narrow).ids.peek().length > 0) return;
  return { from, to: { channelId: Number(new_stream_id), topic: subject } };
}

interface MovedTopic {
  readonly from: Conversation;
  readonly to: Conversation;
}

/** Follows a moved topic and takes the draft along; the old address is replaced in the history. */
export function follow(
  { from, to }: MovedTopic,
  names: Names,
  moveDraft: (from: Conversation, to: Conversation) => void,
) {
  if (keyOf(from) === keyOf(to)) return;
  moveDraft(from, to);
  location.replace(conversationHash(to, names));
}
