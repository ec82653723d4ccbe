import { useState } from 'preact/hooks';
import { conversationHash, hashOf } from '../../addresses/index.ts';
import { type TopicOfChannel, useClient } from '../../client/index.ts';
import { keyOf, Policy } from '../../model/index.ts';
import { foldCase } from '#kernel/text';
import { EmptyView, LinkButton, ListSkeleton } from '../../ui/index.ts';
import { t } from '../../words/deferred.ts';
import { ChannelMenuButton } from '../channel-menu-button.tsx';
import { FeedFailed } from '../feed/empty-feed.tsx';
import { senderName, timeOf } from '../inbox/inbox-group.tsx';
import { messagePreview, useMessage } from '../lists/message-preview.ts';
import { LongList, inChunks } from '../lists/long-list.tsx';
import { Filters, InboxRow } from '../lists/rows.tsx';
import { markRead } from '../mark-read.ts';
import { openTopicMenu } from '../overlays/open.ts';
import { openDrawer } from '../shell/drawer.ts';
import { ChannelTitle, Head } from '../shell/head.tsx';
import { channelLook, faceOf, topicName, unmarkedName } from '../shown.ts';
import { isResolved } from '../topic/resolving.ts';
import { VisitorTools } from '../visitor/visitor.tsx';
import { useTopics } from './use-topics.ts';

const FILTERS = ['unread', 'followed', 'open'] as const;
/** What a reader without an account has neither read nor followed. */
const FOR_VISITORS = ['open'] as const;
type Filter = (typeof FILTERS)[number];

/** All topics of a channel, the newest first. */
export function TopicsView({ channelId }: { readonly channelId: number }) {
  const client = useClient();
  const [filters, setFilters] = useState<ReadonlySet<Filter>>(new Set());
  const [query, setQuery] = useState('');
  const topics = useTopics(channelId);
  const failure = client.topics.failure(channelId).value;
  const look = channelLook(client, channelId);
  const words = foldCase(query.trim());
  const fits = ({ name }: TopicOfChannel) => {
    const key = keyOf({ channelId, topic: name });
    return (
      foldCase(topicName(name)).includes(words) &&
      (!filters.has('unread') || client.model.unread.inConversation(key).unread > 0) &&
      (!filters.has('followed') || client.model.policies.get(key) === Policy.followed) &&
      (!filters.has('open') || !isResolved(name))
    );
  };
  const shown = (topics ?? []).filter(fits);
  const isFiltered = words !== '' || filters.size > 0;
  const toggle = (key: string) => {
    const filter = FILTERS.find((one) => one === key);
    const next = new Set(filters);
    if (filter && !next.delete(filter)) next.add(filter);
    setFilters(next);
  };
  const feed = hashOf({ view: 'narrow', narrow: [{ operator: 'channel', operand: channelId }] }, client.names);
  return (
    <>
      <Head
        onMenu={openDrawer}
        tools={
          <>
            <LinkButton small icon="feed" href={feed} label={t('topics.feed')}>
              <span class="wide-only">{t('topics.feed')}</span>
            </LinkButton>
            {client.model.me === 0 ? <VisitorTools /> : <ChannelMenuButton id={channelId} />}
          </>
        }
      >
        <ChannelTitle channel={look} description={t('sidebar.topicsIn', { channel: look.name })} />
      </Head>
      <LongList
        label={t('sidebar.topicsIn', { channel: look.name })}
        chunks={inChunks('topics', shown, (topic) => <Row key={topic.name} channelId={channelId} topic={topic} />)}
        before={
          <Filters
            filters={(client.model.me === 0 ? FOR_VISITORS : FILTERS).map((key) => ({
              key,
              label: t(`topics.${key}`),
              isOn: filters.has(key),
            }))}
            onFilter={toggle}
            query={query}
            onQuery={setQuery}
            placeholder={t('topics.find')}
          />
        }
        after={
          <>
            {topics === undefined && failure === undefined && <ListSkeleton />}
            {topics === undefined && failure !== undefined && (
              <FeedFailed
                title={t('topics.failed')}
                failure={failure}
                onRetry={() => void client.topics.refresh(channelId, true)}
              />
            )}
            {topics !== undefined && shown.length === 0 && (
              <EmptyView
                title={t(isFiltered ? 'list.nothing' : 'topics.empty')}
                text={t(isFiltered ? 'list.nothingHint' : 'topics.emptyHint')}
              />
            )}
          </>
        }
      />
    </>
  );
}

interface RowProps {
  readonly channelId: number;
  readonly topic: TopicOfChannel;
}

/** A topic with the time and the beginning of its newest message, which is fetched when the row comes into sight. */
function Row({ channelId, topic: { name, max_id } }: RowProps) {
  const client = useClient();
  const newest = useMessage(max_id);
  const conversation = { channelId, topic: name };
  const key = keyOf(conversation);
  const { unread, mentions } = client.model.unread.inConversation(key);
  const policy = client.model.policies.get(key);
  return (
    <>
      <InboxRow
        lead={newest ? { faces: [faceOf(client, newest.sender_id)] } : { channel: channelLook(client, channelId) }}
        href={conversationHash(conversation, client.names)}
        title={unmarkedName(name)}
        isUnnamed={name === ''}
        last={newest ? messagePreview(client, newest, senderName(client, newest)) : ''}
        unread={unread}
        isMentioned={mentions > 0}
        isFollowed={policy === Policy.followed}
        isMuted={client.model.isMuted(conversation)}
        isResolved={isResolved(name)}
        time={timeOf(client, newest)}
        onRead={unread > 0 ? () => void markRead(client, client.model.unread.idsIn(key)) : undefined}
        onMenu={(anchor) => openTopicMenu(conversation, anchor)}
      />
    </>
  );
}
