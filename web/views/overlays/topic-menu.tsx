import { conversationHash, hashOf } from '../../addresses/index.ts';
import { type Client, useClient } from '../../client/index.ts';
import { type Conversation, keyOf, Policy } from '../../model/index.ts';
import { Menu, type MenuItem } from '../../ui/index.ts';
import { t } from '../../words/deferred.ts';
import { mayDeleteAny, mayMove } from '../feed/message-rights.ts';
import { markRead, setRead } from '../mark-read.ts';
import { noticeFailure } from '../notice-failure.ts';
import { titleOf } from '../shown.ts';
import { type PolicyNumber, setPolicy } from '../topic/policy.ts';
import { mayResolve, moveTopic, resolveTopic, newestIn } from '../topic/resolve.ts';
import { isResolved } from '../topic/resolving.ts';
import { closeOverlay, overlay } from './open.ts';
import { inConversation } from '../../messages/index.ts';
import { offerUndo } from '../undoing.ts';

interface TopicMenuProps {
  readonly conversation: Conversation;
  readonly anchor: HTMLElement;
}

/** The menu of a conversation: mark it read or unread, follow, mute, move, copy its link, delete it. */
export function TopicMenu({ conversation, anchor }: TopicMenuProps) {
  const client = useClient();
  const link = new URL(conversationHash(conversation, client.names), location.href).href;
  const copy: MenuItem = {
    label: t('topicMenu.copy'),
    icon: 'link',
    onChoose: () => void navigator.clipboard.writeText(link),
  };
  const name = titleOf(client, conversation);
  return (
    <Menu
      label={t('topicMenu.label', { name })}
      anchor={anchor}
      align="end"
      onClose={closeOverlay}
      groups={[
        [...reading(client, conversation), ...ofChannel(client, conversation)],
        usePolicies(conversation),
        [...moving(client, conversation), copy, ...deleting(client, conversation)],
      ]}
    />
  );
}

function reading(client: Client, conversation: Conversation): readonly MenuItem[] {
  if (client.model.me === 0) return [];
  const unread = client.model.unread.idsIn(keyOf(conversation));
  return unread.length > 0
    ? [{ label: t('list.read'), icon: 'read', onChoose: () => void markRead(client, unread) }]
    : [{ label: t('topicMenu.unread'), icon: 'eye', onChoose: () => void markUnread(client, conversation) }];
}

/** What the channel's own line offers, which the inbox does not have on phones. */
function ofChannel(client: Client, conversation: Conversation): readonly MenuItem[] {
  if ('people' in conversation || !matchMedia('(pointer: coarse)').matches) return [];
  const { channelId } = conversation;
  const ids = client.model.unread.topicsIn(channelId).flatMap((topic) => client.model.unread.idsIn(keyOf(topic)));
  const narrow = [{ operator: 'channel', operand: channelId }];
  const open: MenuItem = {
    label: t('topicMenu.channel'),
    icon: 'list',
    href: hashOf({ view: 'narrow', narrow }, client.names),
  };
  const read: MenuItem = {
    label: t('topicMenu.readChannel'),
    icon: 'read',
    onChoose: () => void markRead(client, ids),
  };
  return ids.length > 0 ? [read, open] : [open];
}

function deleting(client: Client, conversation: Conversation): readonly MenuItem[] {
  if ('people' in conversation || !mayDeleteAny(client, conversation.channelId)) return [];
  const ask = () => (overlay.value = { what: 'delete-topic', ...conversation });
  return [{ label: t('topicMenu.delete'), icon: 'trash', isBad: true, onChoose: ask }];
}

function moving(client: Client, conversation: Conversation): readonly MenuItem[] {
  if ('people' in conversation) return [];
  const may = mayMove(client, { stream_id: conversation.channelId });
  if (!may.topic && !may.channel) return [];
  const move = () => void noticeFailure(client, moveTopic(client, conversation));
  return [{ label: t('topicMenu.move'), icon: 'move', onChoose: move }];
}

function usePolicies(conversation: Conversation): readonly MenuItem[] {
  const client = useClient();
  const { model } = client;
  if ('people' in conversation || model.me === 0) return [];
  const { channelId: stream_id, topic } = conversation;
  const policy = model.policies.get(keyOf(conversation));
  const set = (to: PolicyNumber) => () => void setPolicy(client, conversation, to);
  const row = model.channels.table.get(stream_id);
  const inMuted = row?.membership === 'subscribed' && row.channel.is_muted;
  const follow: MenuItem =
    policy === Policy.followed
      ? { label: t('topicMenu.unfollow'), icon: 'follow', onChoose: set(Policy.none) }
      : { label: t('topicMenu.follow'), icon: 'follow', onChoose: set(Policy.followed) };
  const mute: MenuItem = model.isMuted(conversation)
    ? { label: t('topicMenu.unmute'), icon: 'bell', onChoose: set(inMuted ? Policy.unmuted : Policy.none) }
    : { label: t('topicMenu.mute'), icon: 'mute', onChoose: set(inMuted ? Policy.none : Policy.muted) };
  if (!mayResolve(client, conversation)) return [follow, mute];
  const label = t(isResolved(topic) ? 'head.unresolve' : 'head.resolve');
  return [follow, mute, { label, icon: 'resolve', onChoose: () => void resolveTopic(client, conversation) }];
}

/** Marks the newest message of a conversation unread, so that it waits in the inbox again; offers to undo it. */
async function markUnread(client: Client, conversation: Conversation): Promise<void> {
  let newest: Awaited<ReturnType<typeof newestIn>>;
  const mark = async () => {
    newest = await newestIn(client, conversation);
    if (newest) await client.reading.unreadFrom(inConversation(conversation), newest.id);
  };
  if (!(await noticeFailure(client, mark())) || !newest) return;
  const { id } = newest;
  const text = t('topicMenu.isUnread', { name: titleOf(client, conversation) });
  offerUndo(client, text, () => setRead(client, [id], 'add'));
}
