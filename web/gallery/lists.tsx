import type { ComponentChildren } from 'preact';
import { Homecoming } from '../ui/homecoming.tsx';
import { Button, EmptyView, IconButton, LinkButton, ListSkeleton } from '../ui/index.ts';
import { Tabs } from '../ui/tabs.tsx';
import { ChannelListRow } from '../views/lists/channel-rows.tsx';
import { LaterItem } from '../views/lists/later.tsx';
import { ChannelHead, Filters, GroupHead, InboxRow, ListPage, RecentRow } from '../views/lists/rows.tsx';
import { Frame } from '../views/shell/frame.tsx';
import { Head, PlainTitle } from '../views/shell/head.tsx';
import { t } from '../words/deferred.ts';
import {
  adam,
  bot,
  design,
  engineering,
  gus,
  idle,
  leadership,
  long,
  max,
  mia,
  mona,
  olive,
  releases,
  time,
} from './data.tsx';
import { Conversations, PhoneTabs } from './sidebar.tsx';

const actions = { onRead: idle, onFollow: idle, onMenu: idle } as const;

function Page({ title, children }: { readonly title: string; readonly children: ComponentChildren }) {
  return (
    <Frame left={<Conversations />} tabs={<PhoneTabs />}>
      <Head onMenu={idle} tools={<IconButton icon="help" label={t('keys.title')} keys="?" />}>
        <PlainTitle>{title}</PlainTitle>
      </Head>
      {children}
    </Frame>
  );
}

/** The inbox, with a row of each kind. */
export function Inbox() {
  return (
    <Page title={t('nav.inbox')}>
      <ListPage label={t('nav.inbox')}>
        <Filters
          filters={[
            { key: 'a', label: t('inbox.unmuted'), isOn: true },
            { key: 'b', label: t('inbox.followed'), isOn: false },
            { key: 'c', label: t('inbox.all'), isOn: false },
          ]}
          onFilter={idle}
          query=""
          onQuery={idle}
        />
        <GroupHead title={t('sidebar.direct')} isOpen onToggle={idle} unread={3} onRead={idle} />
        <ul>
          <InboxRow
            {...actions}
            href="#1"
            lead={{ faces: [mia], presence: 'active' }}
            title="Mia Member"
            last="Did you see the shorter beak? I think that is it."
            unread={2}
            isForYou
            time={time('09:42')}
          />
          <InboxRow
            {...actions}
            href="#2"
            lead={{ faces: [mona, gus] }}
            title="Mona Moderator, Gus Guest"
            last="Gus: Shall we three meet tomorrow?"
            unread={1}
            isForYou
            time={time('08:05')}
          />
        </ul>
        <GroupHead title={t('sidebar.pinned')} isOpen onToggle={idle} unread={7} onRead={idle} />
        <ChannelHead channel={design} onRead={idle} />
        <ul>
          <InboxRow
            {...actions}
            href="#3"
            lead={{ faces: [adam] }}
            channel={design}
            title="New mark: branch or flight"
            last="Adam: @Max Member could you cut the beak one pixel shorter?"
            unread={5}
            isForYou
            isMentioned
            isFollowed
            time={time('09:31')}
          />
          <InboxRow
            {...actions}
            href="#4"
            lead={{ faces: [long] }}
            channel={releases}
            title="The very long topic name that somebody pasted from a ticket, with all of its numbers"
            last="Wolfeschlegelsteinhausenbergerdorff: I shortened it, but only in my head, and then I wrote it down again."
            unread={1204}
            time={{ ...time('08:57'), text: 'Yesterday' }}
          />
          <InboxRow
            {...actions}
            href="#5"
            lead={{ faces: [bot] }}
            channel={engineering}
            title="general chat"
            isUnnamed
            last="Build Bot: Build 412 passed in 3 min 9 s."
            unread={1}
            time={time('07:30')}
          />
        </ul>
      </ListPage>
    </Page>
  );
}

/** The inbox without unread messages. */
export function EmptyInbox() {
  return (
    <Page title={t('nav.inbox')}>
      <EmptyView scene={<Homecoming />} title={t('inbox.empty')} text={t('inbox.emptyHint')}>
        <LinkButton icon="clock" href="#recent">
          Recent conversations
        </LinkButton>
      </EmptyView>
    </Page>
  );
}

/** A list that is loading. */
export function LoadingList() {
  return (
    <Page title={t('nav.recent')}>
      <ListSkeleton />
    </Page>
  );
}

/** Recent conversations. */
export function Recent() {
  const row = { ...actions, where: 'design', people: [olive, mona, mia, adam], morePeople: 2 };
  return (
    <Page title={t('nav.recent')}>
      <ListPage label={t('nav.recent')}>
        <Filters
          filters={[
            { key: 'a', label: t('recent.all'), isOn: true },
            { key: 'b', label: t('recent.unread'), isOn: false },
            { key: 'c', label: t('recent.mine'), isOn: false },
            { key: 'd', label: t('recent.followed'), isOn: false },
            { key: 'e', label: t('recent.direct'), isOn: false },
          ]}
          onFilter={idle}
          query=""
          onQuery={idle}
        />
        <div class="box-h">
          <h2>Today</h2>
        </div>
        <ul>
          <RecentRow
            {...row}
            href="#1"
            lead={{ faces: [mia], presence: 'active' }}
            title="Mia Member"
            where="Direct message"
            last="Did you see the shorter beak?"
            people={[]}
            morePeople={0}
            unread={2}
            isForYou
            time={time('09:42')}
          />
          <RecentRow
            {...row}
            href="#2"
            lead={{ channel: design }}
            title="New mark: branch or flight"
            unread={5}
            isForYou
            isMentioned
            isFollowed
            time={time('09:31')}
          />
          <RecentRow
            {...row}
            href="#3"
            lead={{ channel: leadership }}
            where="leadership"
            title="Plans"
            people={[max]}
            morePeople={0}
            unread={0}
            isResolved
            time={time('08:31')}
          />
          <RecentRow
            {...row}
            href="#4"
            lead={{ channel: releases }}
            where={releases.name}
            title="The very long topic name that somebody pasted from a ticket"
            unread={0}
            isMuted
            time={{ ...time('08:31'), text: '12 March' }}
          />
        </ul>
      </ListPage>
    </Page>
  );
}

/** Drafts, with one that cannot be sent. */
export function Drafts() {
  const actionsOf = [
    { label: t('later.goOn'), icon: 'pencil', onChoose: idle },
    { label: t('common.discard'), icon: 'trash', isBad: true, onChoose: idle },
  ] as const;
  return (
    <Page title={t('nav.drafts')}>
      <ListPage label={t('nav.drafts')}>
        <Tabs
          label={t('later.label')}
          current="#drafts"
          tabs={[
            { label: t('nav.drafts'), href: '#drafts', count: 3 },
            { label: t('nav.scheduled'), href: '#scheduled', count: 2 },
            { label: t('nav.reminders'), href: '#reminders' },
          ]}
        />
        <ul>
          <LaterItem
            place={{ channel: design, topic: 'New mark: branch or flight' }}
            href="#1"
            time={time('09:40')}
            actions={actionsOf}
          >
            <p>One pixel shorter, and I moved the eye a little forward. Export follows</p>
          </LaterItem>
          <LaterItem place={{ faces: [mona, gus] }} href="#2" time={time('08:12')} actions={actionsOf}>
            <p>Tomorrow at ten? I bring the coffee.</p>
          </LaterItem>
          <LaterItem
            place={{ channel: leadership, topic: 'Lunch on Friday' }}
            href="#3"
            time={{ ...time('08:12'), text: 'Yesterday' }}
            trouble="You may not post in leadership any more. Choose another channel, or copy the text."
            actions={actionsOf}
          >
            <p>There is soup. There is always soup.</p>
          </LaterItem>
        </ul>
      </ListPage>
    </Page>
  );
}

/** All channels. */
export function Channels() {
  return (
    <Page title={t('nav.channels')}>
      <ListPage label={t('nav.channels')}>
        <Filters
          filters={[{ key: 'a', label: 'All', isOn: true }]}
          onFilter={idle}
          query=""
          onQuery={idle}
          placeholder={t('channels.find')}
        />
        <div class="box-h">
          <h2>Product</h2>
        </div>
        <ul>
          <ChannelListRow
            channel={design}
            description="How things look and read"
            people={12}
            pace="about 90 a week"
            membership={{ kind: 'joined' }}
          />
          <ChannelListRow
            channel={releases}
            description="What goes out, when, and for how long we care about it afterwards"
            people={1}
            pace="about 40 a week"
            membership={{ kind: 'open', onJoin: idle }}
          />
          <ChannelListRow
            channel={leadership}
            description=""
            people={3}
            membership={{ kind: 'closed', reason: 'By invitation' }}
          />
        </ul>
        <Button look="ghost">More</Button>
      </ListPage>
    </Page>
  );
}
