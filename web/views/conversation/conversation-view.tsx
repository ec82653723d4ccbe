import { hashOf, type Route } from '../../addresses/index.ts';
import { type Client, useClient } from '../../client/index.ts';
import { ConversationComposer } from '../composer/conversation-composer.tsx';
import { NewTopicComposer } from '../composer/new-topic-composer.tsx';
import { channelIn, conversationIn, type Narrow } from '../../messages/index.ts';
import { type Conversation, keyOf, othersIn } from '../../model/index.ts';
import { EmptyView, Icon, IconButton, LinkButton } from '../../ui/index.ts';
import { t } from '../../words/index.ts';
import { Announcer } from '../feed/announcer.tsx';
import { isNobody } from '../feed/empty-feed.tsx';
import { Feed } from '../feed/feed.tsx';
import { type FeedKind, feedKind } from '../feed/kind.ts';
import { TypingLine } from '../feed/lines.tsx';
import { ChannelMenuButton } from '../channel-menu-button.tsx';
import { hasPeople, isPeopleOver, isPeopleShown, togglePeople } from '../people/shown.ts';
import { SearchChips } from '../search/search-title.tsx';
import { openDrawer } from '../shell/drawer.ts';
import { ChannelTitle, Head, PlainTitle, TopicTitle } from '../shell/head.tsx';
import { channelLook, faceOf, firstLine, titleOf, unmarkedName } from '../shown.ts';
import { isResolved } from '../topic/resolving.ts';
import { TopicTools } from '../topic/topic-tools.tsx';
import { VisitorDock, VisitorTools } from '../visitor/visitor.tsx';

type NarrowRoute = Extract<Route, { readonly view: 'narrow' }>;

/** The messages of a narrow: a topic, a direct conversation, a channel, or a search. */
export function ConversationView({ route }: { readonly route: NarrowRoute }) {
  const client = useClient();
  return isUnknown(client, route.narrow) ? <NotThere /> : <KnownView route={route} />;
}

/** Whether a narrow names a channel that does not exist or that the reader may not see. */
function isUnknown({ model }: Client, narrow: Narrow): boolean {
  const channel = channelIn(narrow);
  return channel !== undefined && (typeof channel !== 'number' || model.channels.table.get(channel) === undefined);
}

/** The same page for a channel that does not exist and for one that the reader may not see. */
function NotThere() {
  const isVisitor = useClient().model.me === 0;
  return (
    <>
      <Head onMenu={openDrawer} tools={isVisitor && <VisitorTools />}>
        <PlainTitle>{t('missing.title')}</PlainTitle>
      </Head>
      <EmptyView title={t('missing.channel')} text={t('missing.channelHint')}>
        {!isVisitor && <LinkButton href="#channels">{t('sidebar.browse')}</LinkButton>}
        {!isVisitor && <LinkButton href="#inbox">{t('missing.inbox')}</LinkButton>}
        {isVisitor && <LinkButton href="#feed">{t('visitor.feed')}</LinkButton>}
      </EmptyView>
    </>
  );
}

function KnownView({ route }: { readonly route: NarrowRoute }) {
  const client = useClient();
  const conversation = conversationIn(route.narrow, client.model.me);
  const topic = conversation && 'channelId' in conversation ? conversation : undefined;
  const channelId = channelOf(route.narrow);
  const isUnfound = isNobody(client, route.narrow);
  const typists = conversation ? client.model.typing.in(keyOf(conversation)) : [];
  return (
    <>
      <Head
        {...(conversation && client.model.me !== 0 ? { back: '#inbox' } : { onMenu: openDrawer })}
        tools={
          <>
            {topic && client.model.me !== 0 && <TopicTools topic={topic} />}
            {channelId !== undefined && client.model.me !== 0 && <ChannelMenuButton id={channelId} />}
            {hasPeople(route.narrow, client.model) && !isUnfound && <PeopleButton />}
            {client.model.me === 0 && <VisitorTools />}
          </>
        }
      >
        {isUnfound ? (
          <PlainTitle>{t(client.model.me === 0 ? 'sidebar.direct' : 'missing.title')}</PlainTitle>
        ) : (
          <Title route={route} />
        )}
      </Head>
      <Feed route={route} />
      <Announcer window={client.messages.window(route.narrow)} />
      <TypingLine names={typists.map((id) => faceOf(client, id).name)} />
      {client.model.me === 0 && <VisitorDock />}
      {conversation && client.model.me !== 0 && !isUnfound && (
        <ConversationComposer key={keyOf(conversation)} conversation={conversation} />
      )}
      {channelId !== undefined && client.model.me !== 0 && <NewTopicComposer key={channelId} channelId={channelId} />}
    </>
  );
}

/** A button that shows the list of people. While that stands beside the conversation, its own button hides it. */
function PeopleButton() {
  const isShown = isPeopleShown.value;
  return (
    <span class={isShown ? 'unless-beside' : undefined}>
      <IconButton icon="people" label={t('shell.showPeople')} expanded={isPeopleOver.value} onPress={togglePeople} />
    </span>
  );
}

/** Returns the channel of a narrow that consists of a channel only. */
function channelOf(narrow: Narrow): number | undefined {
  const channel = narrow.length === 1 ? channelIn(narrow) : undefined;
  return typeof channel === 'number' ? channel : undefined;
}

function Title({ route }: { readonly route: NarrowRoute }) {
  const client = useClient();
  const conversation = conversationIn(route.narrow, client.model.me);
  const channel = channelIn(route.narrow);
  if (conversation && 'people' in conversation)
    return (
      <PlainTitle lead={<Icon name="people" />} note={statusIn(client, conversation)}>
        {titleOf(client, conversation)}
      </PlainTitle>
    );
  if (typeof channel !== 'number') return <FeedTitle narrow={route.narrow} />;
  const look = channelLook(client, channel);
  const narrow = [{ operator: 'channel', operand: channel }];
  if (!conversation && route.narrow.length > 1) return <FeedTitle narrow={route.narrow} />;
  if (!conversation) return <ChannelTitle channel={look} description={descriptionOf(client, channel)} />;
  return (
    <TopicTitle
      channel={{ ...look, href: hashOf({ view: 'narrow', narrow }, client.names) }}
      topics={hashOf({ view: 'topics', channelId: channel }, client.names)}
      topic={unmarkedName(conversation.topic)}
      isResolved={isResolved(conversation.topic)}
      isUnnamed={conversation.topic === ''}
    />
  );
}

/** The status of the only other person of a direct conversation. */
function statusIn(
  { model }: Client,
  conversation: Extract<Conversation, { readonly people: unknown }>,
): string | undefined {
  const [other, ...more] = othersIn(conversation, model.me);
  return other === undefined || more.length > 0 ? undefined : model.statuses.get(other)?.status_text;
}

/** The first line of a channel's description. */
function descriptionOf({ model }: Client, channelId: number): string | undefined {
  const row = model.channels.table.get(channelId);
  return row && firstLine(row.channel);
}

const FEED_ICONS = {
  feed: 'feed',
  mentions: 'at',
  starred: 'star',
  reactions: 'smile',
  direct: 'people',
  search: 'search',
} as const;

function feedTitle(kind: Exclude<FeedKind, 'conversation'>, me: number): string {
  if (kind === 'search') return t('search.title');
  if (kind === 'direct') return t('sidebar.direct');
  return t(kind === 'feed' && me === 0 ? 'visitor.feed' : `nav.${kind}`);
}

function FeedTitle({ narrow }: { readonly narrow: Narrow }) {
  const { me } = useClient().model;
  const kind = feedKind(narrow, me);
  if (kind === 'conversation') return null;
  const title = <PlainTitle lead={<Icon name={FEED_ICONS[kind]} />}>{feedTitle(kind, me)}</PlainTitle>;
  return kind === 'search' ? (
    <>
      {title}
      <SearchChips narrow={narrow} />
    </>
  ) : (
    title
  );
}
