import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { type Client, useClient } from '../../client/index.ts';
import { Warning } from '../../compose/index.ts';
import type { Conversation } from '../../model/index.ts';
import { Button } from '../../ui/index.ts';
import { t } from '../../words/index.ts';
import { channelLook, faceOf } from '../shown.ts';
import { orNotice } from '../or-notice.ts';
import { mayTellAll } from './completions.tsx';
import { mentionedIn, wildcardIn } from './mentioned.ts';

/** Number of people above which a wildcard needs a permission. See protocol/messages#checks, 7. */
const MANY = 15;

interface Shown {
  readonly shown: ComponentChildren;
  /** Whether the server would refuse the message. */
  readonly isRefusal: boolean;
  /** Number of people who are notified, if the author should be warned. */
  readonly audience?: number | undefined;
}

/** Returns the most serious warning about a text before it is sent. */
export function useWarning(conversation: Conversation, text: string): Shown | undefined {
  const client = useClient();
  const stranger = useStranger(client, conversation, text);
  const [left, setLeft] = useState<ReadonlySet<number>>(new Set());
  if (!('channelId' in conversation)) return undefined;
  const { channelId } = conversation;
  const channel = channelLook(client, channelId).name;
  const count = client.model.channels.table.get(channelId)?.channel.subscriber_count ?? 0;
  if (wildcardIn(text) === 'channel' && count > MANY) {
    if (!mayTellAll(client))
      return {
        isRefusal: true,
        shown: (
          <Warning icon="alert" isRefusal>
            {t('warn.mayNotTellAll', { channel })}
          </Warning>
        ),
      };
    return {
      isRefusal: false,
      audience: count,
      shown: <Warning icon="alert">{t('warn.many', { count, channel })}</Warning>,
    };
  }
  if (stranger === undefined || left.has(stranger)) return undefined;
  const { name } = faceOf(client, stranger);
  return {
    isRefusal: false,
    shown: (
      <Warning
        icon="people"
        onDismiss={() => setLeft(new Set([...left, stranger]))}
        action={
          <Button
            small
            onPress={() =>
              void subscribe(client, channel, stranger).then(
                (isDone) => isDone && setLeft(new Set([...left, stranger])),
              )
            }
          >
            {t('warn.subscribe', { name })}
          </Button>
        }
      >
        {t('warn.notSubscribed', { name, channel })}
      </Warning>
    ),
  };
}

function subscribe(client: Client, name: string, id: number): Promise<boolean> {
  const subscriptions = [{ name }];
  asked.clear();
  return orNotice(client, client.api.call('POST', '/users/me/subscriptions', { subscriptions, principals: [id] }));
}

/** Replies whether people are subscribed to channels, by both IDs, while one text is written. */
const asked = new Map<string, Promise<boolean>>();

/** Returns the first mentioned person who is not subscribed to the channel. */
function useStranger(client: Client, conversation: Conversation, text: string): number | undefined {
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
