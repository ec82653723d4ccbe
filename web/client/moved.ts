import { conversationHash, type Names, type Route } from '../addresses/index.ts';
import { conversationIn, type Messages } from '../messages/index.ts';
import { type AnyEvent, type Conversation, keyOf } from '../model/index.ts';

interface Shown {
  readonly route: Route;
  readonly messages: Messages;
  readonly names: Names;
  readonly me: number;
}

/** Where the topic that is looked at has gone as a whole; undefined while anything of it is still there. */
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

/** Goes along, with what was being written; the place that is left is no place to go back to. */
export function follow(
  { from, to }: MovedTopic,
  names: Names,
  moveDraft: (from: Conversation, to: Conversation) => void,
) {
  if (keyOf(from) === keyOf(to)) return;
  moveDraft(from, to);
  location.replace(conversationHash(to, names));
}
