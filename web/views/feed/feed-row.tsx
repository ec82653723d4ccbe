import { conversationHash, hashOf } from '../../addresses/index.ts';
import { useClient } from '../../client/index.ts';
import { channelIn, type Message, type MessageWindow } from '../../messages/index.ts';
import { conversationOf, keyOf, Policy } from '../../model/index.ts';
import { dayTitle, shortDay, timeOfDay } from '../../words/index.ts';
import { Guard } from '../guard.tsx';
import { openTopicMenu } from '../overlays/open.ts';
import { channelLook, timeStyle, titleOf, unmarkedName } from '../shown.ts';
import type { FeedItem } from './items.ts';
import { DateLine, DirectBar, TopicBar, UnreadLine } from './lines.tsx';
import { MessageItem } from './message-item.tsx';
import { Unshowable } from './message-states.tsx';
import { OutboxRow } from './outbox-row.tsx';

interface FeedRowProps {
  readonly item: FeedItem;
  readonly near: number | undefined;
  readonly window: MessageWindow;
}

/** A row of a feed: a message, or a line between messages. */
export function FeedRow({ item, near, window }: FeedRowProps) {
  const client = useClient();
  const style = timeStyle(client);
  const now = client.clock.now() / 1000;
  switch (item.kind) {
    case 'day':
      return <DateLine day={dayTitle(item.at, now, style)} />;
    case 'unread':
      return <UnreadLine count={item.count} since={timeOfDay(item.at, style)} />;
    case 'bar':
      return <Bar message={item.message} />;
    case 'message':
      return (
        <Guard of={client.messages.table.get(item.id)} instead={() => <Unshowable id={item.id} />}>
          <MessageItem
            id={item.id}
            isFirst={item.isFirst}
            isTarget={item.id === near}
            match={window.matches.get(item.id)}
            isGone={(id) => !window.ids.peek().includes(id)}
          />
        </Guard>
      );
    case 'entry':
      return <OutboxRow entry={item.entry} />;
  }
}

function Bar({ message }: { readonly message: Message }) {
  const client = useClient();
  const conversation = conversationOf(message);
  const href = conversationHash(conversation, client.names);
  const isOneChannel = useIsOneChannel();
  const date = shortDay(message.timestamp, client.clock.now() / 1000, timeStyle(client));
  if ('people' in conversation) return <DirectBar names={titleOf(client, conversation)} href={href} date={date} />;
  const { channelId, topic } = conversation;
  const policy = client.model.policies.get(keyOf(conversation));
  const channelHref = hashOf({ view: 'narrow', narrow: [{ operator: 'channel', operand: channelId }] }, client.names);
  return (
    <>
      <TopicBar
        channel={{ ...channelLook(client, channelId), href: channelHref }}
        topic={unmarkedName(topic)}
        isUnnamed={topic === ''}
        isResolved={topic.startsWith('✔ ')}
        isFollowed={policy === Policy.followed}
        isMuted={policy === Policy.muted}
        href={href}
        date={date}
        showsChannel={!isOneChannel}
        onMenu={(anchor) => openTopicMenu(conversation, anchor)}
      />
    </>
  );
}

/** Whether the feed is of one channel, whose name is then not repeated. */
function useIsOneChannel(): boolean {
  const there = useClient().route.value;
  return there.view === 'narrow' && there.narrow.length === 1 && channelIn(there.narrow) !== undefined;
}
