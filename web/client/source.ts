import type { Api } from '../api/index.ts';
import { inConversation, type Message, type MessageSource, toWireNarrow } from '../messages/index.ts';
import type { Conversation } from '../model/index.ts';
import type { OutboxEntry } from '../sync/index.ts';

/** The term that visitors must add to each narrow, which limits it to web-public channels. */
const OPEN = { operator: 'channels', operand: 'web-public', negated: false } as const;

/** Fetches messages from the API, for members or for a visitor without an account. */
export function messageSource(api: Api, isVisitor = false): MessageSource {
  const form = { client_gravatar: false, allow_empty_topic_name: true } as const;
  const within = (narrow: readonly object[]) => (isVisitor ? [...narrow, OPEN] : narrow);
  return {
    range: async (query) => {
      const found = await api.call('GET', '/messages', { ...query, narrow: within(query.narrow), ...form });
      return { ...found, messages: found.messages.map(withFlags) };
    },
    named: async (message_ids) => {
      const found = await api.call('GET', '/messages', {
        message_ids,
        ...(isVisitor && { narrow: within([]) }),
        ...form,
      });
      return found.messages.map(withFlags);
    },
    matching: async (narrow, msg_ids) => {
      const found = await api.call('GET', '/messages/matches_narrow', { narrow, msg_ids });
      return Object.keys(found.messages).map(Number);
    },
  };
}

function withFlags(message: Omit<Message, 'flags'> & { readonly flags?: readonly string[] | undefined }): Message {
  return { ...message, flags: message.flags ?? [] };
}

/** The recipient of a message in the API's form. */
function recipientOf(conversation: Conversation) {
  if ('people' in conversation) return { type: 'direct' as const, to: JSON.stringify(conversation.people) };
  return { type: 'stream' as const, to: String(conversation.channelId), topic: conversation.topic };
}

/** Sends an entry of the outbox; returns the message's ID. */
export async function sendEntry(api: Api, entry: OutboxEntry, queue_id: string): Promise<number> {
  const { conversation, content, localId } = entry;
  const to = recipientOf(conversation);
  const named = { queue_id, local_id: localId, idempotency_key: localId };
  return (await api.call('POST', '/messages', { ...to, content, ...named, read_by_sender: true })).id;
}

/** Messages among which the message of a doubtful entry is searched for. */
const LOOKED_AT = 20;

/** Finds the message of an outbox entry whose reply was lost; undefined if it was not sent. */
export async function findEntry(api: Api, entry: OutboxEntry, me: number): Promise<number | undefined> {
  const narrow = toWireNarrow([...inConversation(entry.conversation), { operator: 'sender', operand: me }]);
  const found = await api.call('GET', '/messages', {
    narrow,
    anchor: 'newest',
    num_before: LOOKED_AT,
    num_after: 0,
    apply_markdown: false,
  });
  const { after = 0 } = entry;
  return found.messages.find(({ content, id }) => content === entry.content.trim() && id > after)?.id;
}
