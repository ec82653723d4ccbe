import { Banner, Button, IconButton } from '../ui/index.ts';
import { t } from '../words/deferred.ts';
import { DateLine, JumpToNewest, NoticeRow, TypingLine, UnreadLine } from '../views/feed/lines.tsx';
import { MessageActions } from '../views/feed/message-actions.tsx';
import { MessageRow, type MessageRowProps } from '../views/feed/message-row.tsx';
import { DeletedMessage, FailedNote, FoldButton, MutedMessage, PendingNote } from '../views/feed/message-states.tsx';
import { Reactions } from '../views/feed/reactions.tsx';
import { Poll, Todo } from '../views/feed/widgets.tsx';
import { Frame } from '../views/shell/frame.tsx';
import { Head, TopicTitle } from '../views/shell/head.tsx';
import { People, PeopleSection, PersonRow } from '../views/shell/people.tsx';
import { adam, bot, design, gus, idle, long, max, mia, mona, olive, omar, time } from './data.tsx';
import { Conversations } from './sidebar.tsx';
import { ExampleComposer } from './composer.tsx';
import { CODE, IMAGES, TABLE } from './rendered.tsx';

type Row = Omit<MessageRowProps, 'id' | 'href' | 'actions'> & { readonly id: number };

function Message(props: Row) {
  return (
    <MessageRow
      {...props}
      id={String(props.id)}
      href={`#narrow/near/${props.id}`}
      actions={
        <MessageActions
          isStarred={props.isStarred === true}
          onReact={idle}
          onQuote={idle}
          onStar={idle}
          onMenu={idle}
        />
      }
    />
  );
}

const reactions = [
  { key: 'bird', emojiName: 'bird', picture: '🐦', count: 2, isOwn: true, who: ['Mona', 'Max'], showsNames: true },
  {
    key: 'eyes',
    emojiName: 'eyes',
    picture: '👀',
    count: 4,
    isOwn: false,
    who: ['Mia', 'Max', 'Gus', 'Olive'],
    showsNames: false,
  },
];

function Feed() {
  return (
    <div class="feed-wrap">
      <div class="scroll end" tabIndex={0} role="region" aria-label={t('feed.label')}>
        <div class="feed">
          <DateLine day="Friday, 20 November" />
          <Message
            id={1}
            sender={mia}
            time={time('16:40')}
            isFirst
            foot={<Reactions reactions={reactions} onToggle={idle} onAdd={idle} />}
          >
            <p>
              A rook on a branch, or a rook in flight? Three sketches, and one of them at 16 px, because that is where
              it will live.
            </p>
            {IMAGES}
          </Message>
          <Message
            id={2}
            sender={olive}
            time={time('16:52')}
            isFirst
            edit={{ kind: 'edited', when: 'Edited at 16:54', onOpen: idle }}
          >
            <blockquote>
              <p>Mia Member said: because that is where it will live</p>
            </blockquote>
            <p>Then the branch. In flight it turns into a moustache.</p>
          </Message>
          <Message id={3} sender={olive} time={time('16:53')} isFirst={false} isStarred>
            <p>The same thought, a minute later.</p>
          </Message>
          <Message id={4} sender={bot} time={time('17:01')} isFirst role={t('person.bot')}>
            {TABLE}
            {CODE}
          </Message>
          <DateLine day="Saturday, 21 November" />
          <NoticeRow>Mona Moderator resolved this topic.</NoticeRow>
          <UnreadLine count={5} since="09:12" />
          <Message id={5} sender={adam} time={time('09:14')} isFirst isForYou>
            <p>
              <span class="user-mention me">@Max Member</span> could you cut the beak one pixel shorter?
            </p>
          </Message>
          <Message id={6} sender={long} time={time('09:20')} isFirst role={t('person.guest')}>
            <p>
              Averyveryverylongwordthatnobodywouldwritebutsomebodypastes{'x'.repeat(120)} and https://example.test/
              {'path/'.repeat(30)}
            </p>
          </Message>
          <Message id={7} sender={omar} time={time('09:31')} isFirst>
            <p>الغصن أفضل، لأنه مكان نعود إليه.</p>
          </Message>
          <MutedMessage id="8" time="09:33" onShow={idle} />
          <Message id={9} sender={mia} time={time('09:35')} isFirst>
            <Poll
              question="Which one?"
              options={[
                { key: 'a', text: 'The branch', voters: ['Mia', 'Max', 'Olive'], isOwn: true },
                { key: 'b', text: 'In flight', voters: ['Gus'], isOwn: false },
                { key: 'c', text: 'Neither', voters: [], isOwn: false },
              ]}
              onVote={idle}
              onAdd={() => Promise.resolve(true)}
              onEditQuestion={idle}
            />
          </Message>
          <Message id={10} sender={mia} time={time('09:36')} isFirst>
            <Todo
              title="Before the mark goes out"
              tasks={[
                { key: 'a', text: 'Shorter beak', note: 'Max, Friday', isDone: true },
                { key: 'b', text: 'Export 16, 32, 180, 512 px', note: 'PNG and SVG, no metadata', isDone: false },
              ]}
              onTick={idle}
              onAdd={() => Promise.resolve(true)}
            />
          </Message>
          <Message
            id={11}
            sender={mona}
            time={time('09:37')}
            isFirst
            foot={<FoldButton isOpen={false} onToggle={idle} />}
          >
            <div class="folded">
              {Array.from({ length: 9 }, (_, index) => (
                <p key={index}>The long version, for those who were not there on Thursday.</p>
              ))}
            </div>
          </Message>
          <DeletedMessage id="12" at={4000} clock={STILL} onUndo={idle} />
          <Message id={13} sender={max} time={time('09:40')} isFirst state="pending" foot={<PendingNote />}>
            <p>One pixel shorter, and I moved the eye a little forward.</p>
          </Message>
          <Message
            id={14}
            sender={max}
            time={time('09:41')}
            isFirst={false}
            state="failed"
            foot={
              <FailedNote
                reason="You do not have permission to post in this channel."
                onRetry={idle}
                onEdit={idle}
                onDiscard={idle}
              />
            }
          >
            <p>Here is the file list, so nobody has to look for it.</p>
          </Message>
          <Message id={15} sender={mona} time={time('09:42')} isFirst isSelected>
            <p>
              <em>Selected</em>, with <code>inline code</code>, <a href="#x">a link</a> and{' '}
              <span class="user-mention">@Olive Owner</span>.
            </p>
          </Message>
        </div>
      </div>
      <JumpToNewest count={3} onJump={idle} />
    </div>
  );
}

/** A clock that does not advance. */
const STILL = { now: () => 0, random: () => 0, sleep: () => new Promise<void>(() => undefined) };

export function Conversation({ banner }: { readonly banner?: 'offline' | 'release' }) {
  return (
    <Frame left={<Conversations />} right={<Present />}>
      <Head
        back="#inbox"
        tools={
          <>
            <Button small pressed icon="follow" class="wide-only">
              {t('head.following')}
            </Button>
            <span class="wide-only">
              <IconButton icon="resolve" label={t('head.resolve')} />
            </span>
            <span class="wide-only">
              <IconButton icon="search" label={t('head.searchHere')} />
            </span>
            <IconButton icon="more" label={t('head.topicMenu')} popup="menu" />
          </>
        }
      >
        <TopicTitle channel={design} topics="#topics/channel/5-design" topic="New mark: branch or flight" />
      </Head>
      {banner === 'offline' && (
        <Banner icon="offline" title={t('banner.offline')} action={<Button small>{t('common.retry')}</Button>}>
          {t('banner.offlineHint', { count: 12 })}
        </Banner>
      )}
      {banner === 'release' && (
        <Banner
          icon="retry"
          calm
          title={t('banner.newRelease')}
          action={<Button small>{t('common.reload')}</Button>}
          onDismiss={idle}
        >
          {t('banner.newReleaseHint')}
        </Banner>
      )}
      <Feed />
      <TypingLine names={['Mia Member', 'Gus Guest']} />
      <ExampleComposer />
    </Frame>
  );
}

function Present() {
  return (
    <People onFind={idle} onHide={idle}>
      <PeopleSection title={t('people.inTopic')} count={5} isOpen onToggle={idle}>
        <ul>
          <PersonRow face={mia} onOpen={idle} presence="active" note="Drawing birds" />
          <PersonRow face={mona} onOpen={idle} presence="active" />
          <PersonRow face={olive} onOpen={idle} presence="idle" note="🏖️ Back on Monday" />
          <PersonRow face={long} onOpen={idle} presence="idle" note="A status that is longer than the column is wide" />
          <PersonRow face={omar} onOpen={idle} presence="active" />
        </ul>
      </PeopleSection>
      <PeopleSection title={t('people.othersIn', { channel: 'design' })} count={2} isOpen onToggle={idle}>
        <ul>
          <PersonRow face={gus} onOpen={idle} presence="offline" note="Last seen yesterday" />
          <PersonRow face={bot} onOpen={idle} note={t('people.botOf', { name: 'Adam Admin' })} />
        </ul>
      </PeopleSection>
    </People>
  );
}
