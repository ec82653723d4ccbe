import { Button, IconButton } from '../ui/index.ts';
import { DateLine, DirectBar, TopicBar } from '../views/feed/lines.tsx';
import { MessageRow } from '../views/feed/message-row.tsx';
import { Frame } from '../views/shell/frame.tsx';
import { ChannelTitle, Head } from '../views/shell/head.tsx';
import { t } from '../words/index.ts';
import { adam, design, idle, leadership, lounge, mia, mona, time } from './data.tsx';
import { Conversations, PhoneTabs } from './sidebar.tsx';

/** A feed of several topics and conversations. */
export function ChannelFeed() {
  const bar = { date: 'Friday, 20 November', onResolve: idle, onMenu: idle } as const;
  return (
    <Frame left={<Conversations />} tabs={<PhoneTabs />}>
      <Head
        onMenu={idle}
        tools={
          <>
            <span class="wide-only">
              <Button small icon="list">
                Topics
              </Button>
            </span>
            <IconButton icon="search" label={t('head.searchHere')} />
            <IconButton icon="gear" label={t('head.channelMenu')} />
          </>
        }
      >
        <ChannelTitle channel={design} description="How things look and read" />
      </Head>
      <div class="feed-wrap">
        <div class="scroll end" tabIndex={0} role="region" aria-label={t('feed.label')}>
          <div class="feed">
            <DateLine day="Friday, 20 November" />
            <TopicBar
              {...bar}
              channel={design}
              topic="Icons on a 20 px grid"
              href="#t1"
              isResolved
              showsChannel={false}
            />
            <MessageRow id="21" href="#21" sender={mona} time={time('15:10')} isFirst>
              <p>All 83 sit on the grid now. I resolve this.</p>
            </MessageRow>
            <TopicBar {...bar} channel={lounge} topic="Books" href="#t2" isFollowed showsChannel />
            <MessageRow id="22" href="#22" sender={adam} time={time('15:20')} isFirst>
              <p>A book about rooks, of course.</p>
            </MessageRow>
            <TopicBar {...bar} channel={leadership} topic="general chat" href="#t3" isUnnamed isMuted showsChannel />
            <MessageRow id="23" href="#23" sender={mia} time={time('15:25')} isFirst>
              <p>Unnamed, and muted.</p>
            </MessageRow>
            <DirectBar names="Mia Member, Gus Guest" href="#dm/4,7" date="Friday, 20 November" />
            <MessageRow id="24" href="#24" sender={mia} time={time('15:40')} isFirst isTarget>
              <p>Between the three of us.</p>
            </MessageRow>
          </div>
        </div>
      </div>
    </Frame>
  );
}
