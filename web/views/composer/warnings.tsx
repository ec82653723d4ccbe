import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { type Client, useClient } from '../../client/index.ts';
import { Warning } from '../../compose/index.ts';
import { type Conversation, mayIn } from '../../model/index.ts';
import { Button } from '../../ui/index.ts';
import { t } from '../../words/index.ts';
import { channelLook, faceOf } from '../shown.ts';
import { channelsIn, wildcardIn } from './mentioned.ts';
import { subscribe, useStranger } from './strangers.ts';

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
  const [ignored, setIgnored] = useState<ReadonlySet<number | string>>(new Set());
  if (!('channelId' in conversation)) return undefined;
  const { channelId } = conversation;
  const here: Here = {
    client,
    channelId,
    channel: channelLook(client, channelId).name,
    isIgnored: (one) => ignored.has(one),
    ignore: (one) => setIgnored(new Set([...ignored, one])),
  };
  return aboutWildcard(here, text) ?? aboutStranger(here, stranger) ?? aboutPrivate(here, text);
}

/** Where a text will be sent, and which warnings its author ignores: by IDs of people and names of channels. */
interface Here {
  readonly client: Client;
  readonly channelId: number;
  readonly channel: string;
  readonly isIgnored: (one: number | string) => boolean;
  readonly ignore: (one: number | string) => void;
}

function aboutWildcard({ client, channelId, channel }: Here, text: string): Shown | undefined {
  const count = client.model.channels.table.get(channelId)?.channel.subscriber_count ?? 0;
  if (wildcardIn(text) !== 'channel' || count <= MANY) return undefined;
  const isRefusal = !mayIn(client.model.facts, 'realm_can_mention_many_users_group');
  return {
    isRefusal,
    audience: isRefusal ? undefined : count,
    shown: (
      <Warning icon="alert" isRefusal={isRefusal}>
        {isRefusal ? t('warn.mayNotTellAll', { channel }) : t('warn.many', { count, channel })}
      </Warning>
    ),
  };
}

function aboutStranger({ client, channel, ...here }: Here, stranger: number | undefined): Shown | undefined {
  if (stranger === undefined || here.isIgnored(stranger)) return undefined;
  const { name } = faceOf(client, stranger);
  const ignore = () => here.ignore(stranger);
  const onPress = () => void subscribe(client, channel, stranger).then((isDone) => isDone && ignore());
  const action = (
    <Button small onPress={onPress}>
      {t('warn.subscribe', { name })}
    </Button>
  );
  return {
    isRefusal: false,
    shown: (
      <Warning icon="people" onDismiss={ignore} action={action}>
        {t('warn.notSubscribed', { name, channel })}
      </Warning>
    ),
  };
}

/** About a link that tells the name of a private channel to those who cannot see it. */
function aboutPrivate({ client, channelId, channel, isIgnored, ignore }: Here, text: string): Shown | undefined {
  const linked = channelsIn(text).filter((name) => !isIgnored(name));
  const told = firstPrivate(client, channelId, linked);
  if (told === undefined) return undefined;
  return {
    isRefusal: false,
    shown: (
      <Warning icon="lock" onDismiss={() => ignore(told)}>
        {t('warn.private', { name: told, channel })}
      </Warning>
    ),
  };
}

/** Returns the name of the first private channel, other than the one with this ID, that is among the names. */
function firstPrivate({ model }: Client, except: number, names: readonly string[]): string | undefined {
  if (names.length === 0) return undefined;
  for (const [id, { channel }] of model.channels.table.all)
    if (id !== except && channel.invite_only && names.includes(channel.name)) return channel.name;
  return undefined;
}
