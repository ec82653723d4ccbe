import { IconButton } from '../ui/index.ts';
import { TabBar } from '../views/shell/frame.tsx';
import { Sidebar, SidebarSection } from '../views/shell/sidebar.tsx';
import { ChannelRow, DirectRow, TopicBranch, TopicRow, ViewRow } from '../views/shell/sidebar-rows.tsx';
import { t } from '../words/index.ts';
import {
  adam,
  design,
  engineering,
  general,
  gus,
  idle,
  leadership,
  lounge,
  max,
  mia,
  mona,
  releases,
  support,
} from './data.tsx';

/** The left sidebar with a row of each kind. */
export function Conversations() {
  return (
    <Sidebar
      organization="Rookery Works"
      onOrganization={idle}
      onCompose={idle}
      onJump={idle}
      jumpKeys="Ctrl K"
      you={{
        face: max,
        presence: 'active',
        status: '🪶 Sketching until noon',
        onMenu: idle,
        settingsHref: '#settings',
      }}
    >
      <ul>
        <ViewRow icon="inbox" href="#inbox" name={t('nav.inbox')} unread={16} />
        <ViewRow icon="clock" href="#recent" name={t('nav.recent')} />
        <ViewRow icon="at" href="#narrow/is/mentioned" name={t('nav.mentions')} unread={2} isForYou />
        <ViewRow icon="star" href="#narrow/is/starred" name={t('nav.starred')} />
        <ViewRow
          icon="pencil"
          href="#drafts"
          name={t('nav.drafts')}
          fact={{ count: 1, word: t('count.drafts', { count: 1 }) }}
        />
        <ViewRow icon="more" href="#feed" name={t('nav.moreViews')} />
      </ul>
      <SidebarSection
        title={t('sidebar.direct')}
        isOpen
        onToggle={idle}
        tool={<IconButton icon="plus" small label={t('sidebar.newDirect')} />}
      >
        <ul>
          <DirectRow href="#dm/4" name="Mia Member" faces={[mia]} presence="active" unread={2} isForYou onMore={idle} />
          <DirectRow
            href="#dm/2,7"
            name="Mona Moderator, Gus Guest"
            faces={[mona, gus]}
            unread={1}
            isForYou
            onMore={idle}
          />
          <DirectRow href="#dm/1" name="Adam Admin" faces={[adam]} presence="idle" onMore={idle} />
        </ul>
      </SidebarSection>
      <SidebarSection title={t('sidebar.pinned')} isOpen onToggle={idle}>
        <ul>
          <ChannelRow {...design} channel={design} unread={5} onMore={idle} />
          <TopicBranch channel="design">
            <TopicRow href="#t1" name="New mark: branch or flight" unread={3} isFollowed isCurrent onMore={idle} />
            <TopicRow href="#t2" name="Colours after dusk" unread={2} isMentioned isForYou onMore={idle} />
            <TopicRow href="#t3" name="Icons on a 20 px grid" isResolved onMore={idle} />
            <TopicRow href="#t4" name={t('sidebar.allTopics')} />
          </TopicBranch>
          <ChannelRow {...general} channel={general} onMore={idle} />
        </ul>
      </SidebarSection>
      <SidebarSection title="Product" isOpen onToggle={idle}>
        <ul>
          <ChannelRow {...engineering} channel={engineering} unread={3} onMore={idle} />
          <ChannelRow {...releases} channel={releases} unread={1204} onMore={idle} />
          <ChannelRow {...support} channel={support} unread={7} isMuted onMore={idle} />
        </ul>
      </SidebarSection>
      <SidebarSection title={t('sidebar.other')} isOpen onToggle={idle}>
        <ul>
          <ChannelRow {...leadership} channel={leadership} />
          <ChannelRow {...lounge} channel={lounge} unread={1} />
          <ViewRow icon="plus" href="#channels" name={t('sidebar.browse')} />
        </ul>
      </SidebarSection>
    </Sidebar>
  );
}

/** The tab bar of phones. */
export function PhoneTabs() {
  return (
    <TabBar
      items={[
        { href: '#inbox', icon: 'inbox', label: t('nav.inbox'), isCurrent: true, count: 18 },
        { href: '#recent', icon: 'clock', label: t('nav.recent') },
        { href: '#channels', icon: 'hash', label: t('nav.channels') },
        { href: '#dms', icon: 'people', label: t('nav.direct'), count: 3, isForYou: true },
        { href: '#settings', icon: 'person', label: t('nav.you') },
      ]}
    />
  );
}
