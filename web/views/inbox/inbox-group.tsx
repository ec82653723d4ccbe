import { signal } from '@preact/signals';
import { conversationHash, hashOf } from '../../addresses/index.ts';
import { type Client, useClient } from '../../client/index.ts';
import type { Message } from '../../messages/index.ts';
import { othersIn } from '../../model/index.ts';
import { fullDate, shortDay, t } from '../../words/index.ts';
import { messagePreview, useMessage } from '../lists/message-preview.ts';
import { type ListChunk, inChunks } from '../lists/long-list.tsx';
import { ChannelHead, GroupHead, InboxRow, type Lead } from '../lists/rows.tsx';
import { markRead } from '../mark-read.ts';
import { openTopicMenu } from '../overlays/open.ts';
import { channelLook, faceOf, timeStyle, titleOf, unmarkedName } from '../shown.ts';
import type { InboxGroup, InboxPart, UnreadEntry } from './groups.ts';

/** Keys of the folded groups. */
export const closedGroups = signal<ReadonlySet<string>>(new Set());

function toggle(key: string): void {
  const next = new Set(closedGroups.peek());
  if (!next.delete(key)) next.add(key);
  closedGroups.value = next;
}

/** Returns the chunks of the inbox: each group under a title that folds it, and its channels under theirs. */
export function groupChunks(groups: readonly InboxGroup[], closed: ReadonlySet<string>): readonly ListChunk[] {
  return groups.flatMap((group) => [
    { key: group.key, draw: () => <GroupTitle group={group} /> },
    ...(closed.has(group.key) ? [] : group.parts.flatMap((part) => partChunks(group.key, part))),
  ]);
}

/** Returns the IDs of the unread messages of groups. */
export function idsIn(
  { model }: Client,
  groups: readonly { readonly parts: readonly InboxPart[] }[],
): readonly number[] {
  return groups.flatMap(({ parts }) =>
    parts.flatMap(({ entries }) => entries.flatMap(({ key }) => model.unread.idsIn(key))),
  );
}

function partChunks(group: string, { channelId, entries }: InboxPart): readonly ListChunk[] {
  const key = `${group} ${channelId ?? ''}`;
  const rows = inChunks(`${key} rows`, entries, (entry) => <Row key={entry.key} entry={entry} />);
  if (channelId === undefined) return rows;
  return [{ key, draw: () => <PartTitle channelId={channelId} entries={entries} /> }, ...rows];
}

function GroupTitle({ group }: { readonly group: InboxGroup }) {
  const client = useClient();
  return (
    <GroupHead
      title={groupTitle(client, group)}
      isOpen={!closedGroups.value.has(group.key)}
      onToggle={() => toggle(group.key)}
      unread={group.unread}
      onRead={() => void markRead(client, idsIn(client, [group]))}
    />
  );
}

function groupTitle({ model }: Client, { kind, folderId }: InboxGroup): string {
  if (kind !== 'folder') return t(`sidebar.${kind}`);
  return (model.facts.get('channel_folders') ?? []).find(({ id }) => Number(id) === folderId)?.name ?? '';
}

interface PartTitleProps {
  readonly channelId: number;
  readonly entries: readonly UnreadEntry[];
}

function PartTitle({ channelId, entries }: PartTitleProps) {
  const client = useClient();
  const narrow = [{ operator: 'channel', operand: channelId }];
  const channel = { ...channelLook(client, channelId), href: hashOf({ view: 'narrow', narrow }, client.names) };
  const read = () => void markRead(client, idsIn(client, [{ parts: [{ channelId, entries }] }]));
  return <ChannelHead channel={channel} onRead={read} />;
}

function Row({ entry }: { readonly entry: UnreadEntry }) {
  const client = useClient();
  const message = useMessage(entry.newest);
  const { conversation, key, mentions, unread } = entry;
  const isDirect = 'people' in conversation;
  const sender = message && !(isDirect && conversation.people.length < 3) ? senderName(client, message) : undefined;
  return (
    <>
      <InboxRow
        href={conversationHash(conversation, client.names)}
        lead={leadOf(client, entry, message)}
        title={isDirect ? titleOf(client, conversation) : unmarkedName(conversation.topic)}
        isUnnamed={!isDirect && conversation.topic === ''}
        last={message ? messagePreview(client, message, sender) : ''}
        channel={isDirect ? undefined : channelLook(client, conversation.channelId)}
        unread={unread}
        isForYou={isDirect || mentions > 0}
        isMentioned={mentions > 0 && !isDirect}
        isFollowed={entry.isFollowed}
        isMuted={entry.isMuted}
        isResolved={!isDirect && conversation.topic.startsWith('✔ ')}
        time={timeOf(client, message)}
        onRead={() => void markRead(client, client.model.unread.idsIn(key))}
        onMenu={(anchor) => openTopicMenu(conversation, anchor)}
      />
    </>
  );
}

/** The sender's first name, because the row is narrow. */
export function senderName(client: Client, message: Message): string {
  const { name, isBot } = faceOf(client, message.sender_id);
  return isBot === true ? name : (name.split(' ')[0] ?? '');
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

/** The time of a row's message; empty until the message is known. */
export function timeOf(client: Client, message: Message | undefined) {
  if (!message) return { text: '', iso: '', full: '' };
  const style = timeStyle(client);
  return {
    text: shortDay(message.timestamp, client.clock.now() / 1000, style),
    iso: new Date(message.timestamp * 1000).toISOString(),
    full: fullDate(message.timestamp, style),
  };
}
