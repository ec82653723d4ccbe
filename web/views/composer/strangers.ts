import { useEffect, useState } from 'preact/hooks';
import type { Client } from '../../client/index.ts';
import type { Conversation } from '../../model/index.ts';
import { noticeFailure } from '../notice-failure.ts';
import { mentionedIn } from './mentioned.ts';

/** Subscribes somebody to a channel; a refusal is shown. */
export function subscribe(client: Client, name: string, id: number): Promise<boolean> {
  const subscriptions = [{ name }];
  asked.clear();
  return noticeFailure(client, client.api.call('POST', '/users/me/subscriptions', { subscriptions, principals: [id] }));
}

/** Replies whether people are subscribed to channels, by both IDs, while one text is written. */
const asked = new Map<string, Promise<boolean>>();

/** Returns the first mentioned person who is not subscribed to the channel. */
export function useStranger(client: Client, conversation: Conversation, text: string): number | undefined {
  const [stranger, setStranger] = useState<number>();
  const channelId = 'channelId' in conversation ? conversation.channelId : undefined;
  useEffect(() => asked.clear(), []);
  const ids = channelId === undefined ? [] : mentionedIn(text, (name) => idOf(client, name));
  useEffect(() => {
    let isGone = false;
    const find = async () => {
      for (const id of ids) {
        if (channelId !== undefined && !(await isSubscribed(client, channelId, id))) return id;
      }
      return undefined;
    };
    void find().then((found) => isGone || setStranger(found));
    return () => {
      isGone = true;
    };
  }, [client, channelId, ids.join()]);
  return stranger;
}

function isSubscribed({ api }: Client, stream_id: number, user_id: number): Promise<boolean> {
  const key = `${stream_id} ${user_id}`;
  const found =
    asked.get(key) ??
    api.call('GET', '/users/{user_id}/subscriptions/{stream_id}', { user_id, stream_id }).then(
      (answer) => answer.is_subscribed,
      // If it is unknown, there is no warning.
      () => true,
    );
  asked.set(key, found);
  return found;
}

function idOf({ model }: Client, name: string): number | undefined {
  for (const [id, { user, isActive }] of model.people.table.peekAll())
    if (isActive && user.full_name === name) return id;
  return undefined;
}
