import { signal, useComputed } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { conversationHash, hashOf, type Route } from '../../addresses/index.ts';
import { type Client, useClient } from '../../client/index.ts';
import { channelIn, conversationIn } from '../../messages/index.ts';
import { type ConversationKey, directWith, keyOf, othersIn, Policy } from '../../model/index.ts';
import { FoldButton, IconButton } from '../../ui/index.ts';
import { t } from '../../words/index.ts';
import { shownRoute } from '../home.ts';
import { openTopicMenu, overlay } from '../overlays/open.ts';
import { ownPictures } from '../own-pictures.ts';
import { Sidebar, SidebarSection } from '../shell/sidebar.tsx';
import { ChannelRow, DirectRow, TopicBranch, TopicRow, ViewRow } from '../shell/sidebar-rows.tsx';
import { channelLook, faceOf, titleOf, unmarkedName } from '../shown.ts';
import { useTopics } from '../topics/use-topics.ts';
import { VisitorFoot, VisitorWelcome } from '../visitor/visitor.tsx';
import { channelGroups } from './channel-groups.ts';
import { InSight, SLICE, slices } from './in-sight.tsx';
import { topicsShown } from './topics-shown.ts';
import { OrganizationMenu } from './organization-menu.tsx';

/** Most direct conversations that are listed. */
const MAX_DIRECT = 8;
/** Most topics below an open channel. */
const MAX_TOPICS = 8;
/** Channels of a section that are drawn in the first paint. */
const FIRST = 6;

const closed = signal<ReadonlySet<string>>(new Set());

function toggle(section: string): void {
  const next = new Set(closed.peek());
  if (!next.delete(section)) next.add(section);
  closed.value = next;
}

/** The left sidebar: views and conversations, with counts of unread messages. */
export function SidebarView() {
  const client = useClient();
  const { model } = client;
  const isVisitor = model.me === 0;
  const [menu, setMenu] = useState<{ readonly anchor: HTMLElement; readonly above: boolean }>();
  useEffect(showCurrent, [client.route.value]);
  return (
    <Sidebar
      organization={model.facts.get('realm_name') ?? ''}
      pictures={ownPictures(client)}
      onOrganization={(anchor) => setMenu({ anchor, above: false })}
      onCompose={isVisitor ? undefined : () => (overlay.value = 'people')}
      onJump={() => (overlay.value = 'palette')}
      jumpKeys="Ctrl K"
      foot={<VisitorFoot />}
      you={
        isVisitor
          ? undefined
          : {
              face: faceOf(client, model.me),
              presence: model.presences.of(model.me),
              status: model.statuses.get(model.me)?.status_text,
              onMenu: (anchor) => setMenu({ anchor, above: true }),
              settingsHref: '#settings',
            }
      }
    >
      {isVisitor && <VisitorWelcome />}
      <Views />
      {!isVisitor && <DirectSection />}
      <ChannelSections />
      {menu && <OrganizationMenu {...menu} onClose={() => setMenu(undefined)} />}
    </Sidebar>
  );
}

/** Scrolls to the row of the open view, however it was opened. */
function showCurrent(): void {
  document.querySelector('.left .side-row > [aria-current]')?.scrollIntoView({ block: 'nearest' });
}

const hasMoreViews = signal(false);

function Views() {
  const client = useClient();
  const { model } = client;
  const { view } = shownRoute(client);
  if (model.me === 0)
    return (
      <ul>
        <ViewLink icon="feed" hash="#feed" name={t('visitor.feed')} />
      </ul>
    );
  const isMore = hasMoreViews.value;
  const { unread, mentions } = model.unread.total;
  return (
    <ul>
      <ViewRow icon="inbox" href="#inbox" name={t('nav.inbox')} unread={unread} isCurrent={view === 'inbox'} />
      <ViewRow icon="clock" href="#recent" name={t('nav.recentLong')} isCurrent={view === 'recent'} />
      <ViewRow
        icon="at"
        href="#narrow/is/mentioned"
        name={t('nav.mentions')}
        unread={mentions}
        isForYou
        isCurrent={isState(client, 'mentioned')}
      />
      <ViewRow icon="feed" href="#feed" name={t('nav.feed')} isCurrent={view === 'feed'} />
      <ViewRow
        icon="star"
        href="#narrow/is/starred"
        name={t('nav.starred')}
        isCurrent={isState(client, 'starred')}
        fact={starred(client)}
      />
      {isMore && <ViewLink icon="smile" hash={`#narrow/has/reaction/sender/${model.me}`} name={t('nav.reactions')} />}
      {isMore && <ViewLink icon="pencil" hash="#drafts" name={t('nav.drafts')} />}
      {isMore && <ViewLink icon="calendar" hash="#scheduled" name={t('nav.scheduled')} />}
      {isMore && <ViewLink icon="bellclock" hash="#reminders" name={t('nav.reminders')} />}
      <li class="side-h">
        <FoldButton
          title={t(isMore ? 'nav.fewerViews' : 'nav.moreViews')}
          isOpen={isMore}
          onToggle={() => (hasMoreViews.value = !isMore)}
        />
      </li>
    </ul>
  );
}

function starred({ model }: Client) {
  const count = model.starred.value.size;
  const isShown = model.facts.get('user_settings')?.starred_message_counts === true;
  return isShown && count > 0 ? { count, word: t('count.starred', { count }) } : undefined;
}

interface ViewLinkProps {
  readonly icon: 'feed' | 'smile' | 'pencil' | 'calendar' | 'bellclock';
  readonly hash: string;
  readonly name: string;
}

function ViewLink({ icon, hash, name }: ViewLinkProps) {
  const { route, names } = useClient();
  return <ViewRow icon={icon} href={hash} name={name} isCurrent={hashOf(route.value, names) === hash} />;
}

/** Whether the view of an `is:` condition is open. */
function isState({ route }: Client, state: string): boolean {
  const there = route.value;
  const [term] = there.view === 'narrow' && there.narrow.length === 1 ? there.narrow : [];
  return term?.operator === 'is' && term.operand === state;
}

/** Returns the key of the open conversation, if it is a direct one or in the given channel. */
function currentKey({ route, model }: Client, among: 'people' | number): ConversationKey | undefined {
  const there = route.value;
  const conversation = there.view === 'narrow' ? conversationIn(there.narrow, model.me) : undefined;
  if (!conversation || ('people' in conversation ? 'people' : conversation.channelId) !== among) return undefined;
  return keyOf(conversation);
}

function DirectSection() {
  const client = useClient();
  const { model } = client;
  const recent = model.facts.get('recent_private_conversations') ?? [];
  const current = useComputed(() => currentKey(client, 'people')).value;
  const unread = model.unread.directConversations.flatMap(({ conversation }) =>
    'people' in conversation ? [conversation] : [],
  );
  const all = new Map<ConversationKey, { readonly people: readonly number[] }>();
  for (const one of [...unread, ...recent.map(({ user_ids }) => directWith(user_ids, model.me))])
    all.set(keyOf(one), one);
  return (
    <SidebarSection
      title={t('sidebar.direct')}
      isOpen={!closed.value.has('direct')}
      onToggle={() => toggle('direct')}
      tool={<IconButton icon="plus" small label={t('sidebar.newDirect')} onPress={() => (overlay.value = 'people')} />}
    >
      <ul>
        {[...all].slice(0, MAX_DIRECT).map(([key, conversation]) => {
          const others = othersIn(conversation, model.me);
          const [only] = others;
          return (
            <DirectRow
              key={key}
              href={conversationHash(conversation, client.names)}
              name={titleOf(client, conversation)}
              faces={others.map((id) => faceOf(client, id))}
              presence={others.length === 1 && only !== undefined ? model.presences.of(only) : undefined}
              unread={model.unread.inConversation(key).unread}
              isForYou
              isCurrent={key === current}
            />
          );
        })}
      </ul>
    </SidebarSection>
  );
}

function ChannelSections() {
  const client = useClient();
  const { folders, groups } = channelGroups(client);
  const isBrowsing = useComputed(() => client.route.value.view === 'channels').value;
  const [isPainted, setPainted] = useState(false);
  // The other channels with their topics are drawn later, so that they do not delay the messages.
  useEffect(() => setPainted(true), []);
  const section = (key: string, title: string, end?: ComponentChildren) => {
    const list = groups.get(key) ?? [];
    const isWhole = isPainted || list.length <= FIRST;
    if (list.length === 0 && end === undefined) return null;
    return (
      <SidebarSection key={key} title={title} isOpen={!closed.value.has(key)} onToggle={() => toggle(key)}>
        {slices(isWhole ? list : list.slice(0, FIRST)).map((ids, index) => (
          <InSight
            key={index}
            isFirst={index === 0}
            count={ids.length}
            mayHide={list.length > SLICE}
            hasOpenRow={() => ids.some((id) => openPart(client.route.value, id) !== undefined)}
            draw={() => ids.map(channelItem)}
          />
        ))}
        {isWhole && end !== undefined && <ul>{end}</ul>}
      </SidebarSection>
    );
  };
  const isMember = client.model.me !== 0;
  const browse = isMember && <ViewRow icon="plus" href="#channels" name={t('sidebar.browse')} isCurrent={isBrowsing} />;
  return (
    <>
      {section('pinned', t('sidebar.pinned'))}
      {folders.map(({ id, name }) => section(`folder${id}`, name))}
      {section(
        'other',
        t(isMember ? (groups.has('pinned') || groups.size > 1 ? 'sidebar.other' : 'nav.channels') : 'visitor.channels'),
        browse || undefined,
      )}
    </>
  );
}

const channelItem = (id: number) => <ChannelItem key={id} id={id} />;

function ChannelItem({ id }: { readonly id: number }) {
  const client = useClient();
  const { model, route } = client;
  const look = channelLook(client, id);
  const row = model.channels.table.get(id);
  // Computed, so that only the rows that are left and entered are drawn again.
  const isOpen = useComputed(() => openPart(route.value, id)).value;
  const count = model.unread.inChannel(id);
  return (
    <>
      <ChannelRow
        href={hashOf({ view: 'narrow', narrow: [{ operator: 'channel', operand: id }] }, client.names)}
        name={look.name}
        channel={look}
        unread={count.unread}
        isForYou={count.mentions > 0}
        isMuted={row?.membership === 'subscribed' && row.channel.is_muted}
        isCurrent={isOpen === 'channel'}
        onMore={model.me === 0 ? undefined : (anchor) => (overlay.value = { what: 'channel', anchor, id })}
      />
      <Topics channelId={id} isOpen={isOpen !== undefined} />
    </>
  );
}

/** Returns whether all of a channel is open, or a part of its messages. */
function openPart(there: Route, id: number): 'channel' | 'messages' | undefined {
  if (there.view === 'topics') return there.channelId === id ? 'channel' : undefined;
  if (there.view !== 'narrow') return undefined;
  if (channelIn(there.narrow) !== id) return undefined;
  return there.narrow.length === 1 ? 'channel' : 'messages';
}

/** The topics of a channel with unread messages; of the open channel also the newest topics, and a link to all. */
function Topics({ channelId, isOpen }: { readonly channelId: number; readonly isOpen: boolean }) {
  const client = useClient();
  const { model, route } = client;
  const current = useComputed(() => currentKey(client, channelId)).value;
  const there = route.peek();
  const opened = current !== undefined && there.view === 'narrow' ? conversationIn(there.narrow, model.me) : undefined;
  const newest = useTopics(channelId, isOpen) ?? [];
  const shown = topicsShown(
    {
      opened: opened && 'channelId' in opened ? opened : undefined,
      unread: model.unread.topicsIn(channelId),
      newest: isOpen ? newest.map(({ name }) => ({ channelId, topic: name })) : [],
    },
    MAX_TOPICS,
  );
  useEffect(() => (isOpen ? showCurrent() : undefined), [isOpen, newest.length > 0]);
  if (shown.size === 0) return null;
  return (
    <TopicBranch channel={channelLook(client, channelId).name}>
      {[...shown].map(([key, conversation]) => {
        const count = model.unread.inConversation(key);
        return (
          <TopicRow
            key={key}
            href={conversationHash(conversation, client.names)}
            name={unmarkedName(conversation.topic)}
            isUnnamed={conversation.topic === ''}
            unread={count.unread}
            isMentioned={count.mentions > 0}
            isFollowed={model.policies.get(key) === Policy.followed}
            isMuted={model.policies.get(key) === Policy.muted}
            isResolved={conversation.topic.startsWith('✔ ')}
            isCurrent={key === current}
            onMore={model.me === 0 ? undefined : (anchor) => openTopicMenu(conversation, anchor)}
          />
        );
      })}
      {isOpen && <TopicRow href={hashOf({ view: 'topics', channelId }, client.names)} name={t('sidebar.allTopics')} />}
    </TopicBranch>
  );
}
