import { signal } from '@preact/signals';
import { useState } from 'preact/hooks';
import { conversationHash, hashOf } from '../../addresses/index.ts';
import { type Client, useClient } from '../../client/index.ts';
import type { Message } from '../../messages/index.ts';
import { othersIn } from '../../model/index.ts';
import { fullDate, shortDay, t } from '../../words/index.ts';
import { markRead } from '../mark-read.ts';
import { lastWords } from '../lists/last-words.ts';
import { ChannelHead, GroupHead, InboxRow, type Lead } from '../lists/rows.tsx';
import { channelLook, faceOf, timeStyle } from '../shown.ts';
import { TopicMenu } from '../topic-menu.tsx';
import type { InboxGroup, InboxPart, UnreadEntry } from './groups.ts';

const closed = signal<ReadonlySet<string>>(new Set());

function toggle(key: string): void {
  const next = new Set(closed.peek());
  if (!next.delete(key)) next.add(key);
  closed.value = next;
}

type Messages = ReadonlyMap<number, Message>;

/** A group of the inbox under its title, which folds it. */
export function Group({ group, messages }: { readonly group: InboxGroup; readonly messages: Messages }) {
  const client = useClient();
  const isOpen = !closed.value.has(group.key);
  const ids = group.parts.flatMap(({ entries }) => entries.flatMap((entry) => entry.ids));
  return (
    <>
      <GroupHead
        title={groupTitle(client, group)}
        isOpen={isOpen}
        onToggle={() => toggle(group.key)}
        unread={group.unread}
        onRead={() => void markRead(client, ids)}
      />
      {isOpen && group.parts.map((part) => <Part key={part.channelId ?? 0} part={part} messages={messages} />)}
    </>
  );
}

function groupTitle({ model }: Client, { kind, folderId }: InboxGroup): string {
  if (kind !== 'folder') return t(`sidebar.${kind}`);
  return (model.facts.get('channel_folders') ?? []).find(({ id }) => Number(id) === folderId)?.name ?? '';
}

function Part({ part, messages }: { readonly part: InboxPart; readonly messages: Messages }) {
  const client = useClient();
  const { channelId, entries } = part;
  const rows = (
    <ul>
      {entries.map((entry) => (
        <Row key={entry.key} entry={entry} message={messages.get(entry.ids.at(-1) ?? 0)} />
      ))}
    </ul>
  );
  if (channelId === undefined) return rows;
  const narrow = [{ operator: 'channel', operand: channelId }];
  const channel = { ...channelLook(client, channelId), href: hashOf({ view: 'narrow', narrow }, client.names) };
  return (
    <>
      <ChannelHead
        channel={channel}
        onRead={() =>
          void markRead(
            client,
            entries.flatMap(({ ids }) => ids),
          )
        }
      />
      {rows}
    </>
  );
}

function Row({ entry, message }: { readonly entry: UnreadEntry; readonly message: Message | undefined }) {
  const client = useClient();
  const [anchor, setAnchor] = useState<HTMLElement>();
  const { conversation, ids, mentions } = entry;
  const isDirect = 'people' in conversation;
  const sender = message && !(isDirect && conversation.people.length < 3) ? senderName(client, message) : undefined;
  return (
    <>
      <InboxRow
        href={conversationHash(conversation, client.names)}
        lead={leadOf(client, entry, message)}
        title={entry.title}
        isUnnamed={!isDirect && conversation.topic === ''}
        last={message ? lastWords(message, sender) : ''}
        channel={isDirect ? undefined : channelLook(client, conversation.channelId)}
        unread={ids.length}
        isForYou={isDirect || mentions > 0}
        isMentioned={mentions > 0 && !isDirect}
        isFollowed={entry.isFollowed}
        isMuted={entry.isMuted}
        isResolved={!isDirect && conversation.topic.startsWith('✔ ')}
        time={timeOf(client, message)}
        onRead={() => void markRead(client, ids)}
        onMenu={setAnchor}
      />
      {anchor && <TopicMenu conversation={conversation} anchor={anchor} onClose={() => setAnchor(undefined)} />}
    </>
  );
}

/** The first name, because the row is narrow. */
function senderName(client: Client, message: Message): string {
  return faceOf(client, message.sender_id).name.split(' ')[0] ?? '';
}

function leadOf(client: Client, { conversation }: UnreadEntry, message: Message | undefined): Lead {
  if ('channelId' in conversation)
    return message
      ? { faces: [faceOf(client, message.sender_id)] }
      : { channel: channelLook(client, conversation.channelId) };
  const others = othersIn(conversation, client.model.me);
  const [only] = others;
  return {
    faces: others.map((id) => faceOf(client, id)),
    presence: others.length === 1 && only !== undefined ? client.model.presences.of(only) : undefined,
  };
}

/** The time of a message for a row; nothing until it is known. */
export function timeOf(client: Client, message: Message | undefined) {
  if (!message) return { text: '', iso: '', full: '' };
  const style = timeStyle(client);
  return {
    text: shortDay(message.timestamp, client.clock.now() / 1000, style),
    iso: new Date(message.timestamp * 1000).toISOString(),
    full: fullDate(message.timestamp, style),
  };
}
