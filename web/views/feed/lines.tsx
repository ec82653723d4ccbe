import type { ComponentChildren } from 'preact';
import { ChannelIcon, type ChannelLook } from '../../ui/channel-icon.tsx';
import { Button, Icon, IconButton, PerchedRook, Tag } from '../../ui/index.ts';
import { t } from '../../words/index.ts';

/** The line at which a day begins. */
export function DateLine({ day }: { readonly day: string }) {
  return <h2 class="dateline">{day}</h2>;
}

interface UnreadLineProps {
  readonly count: number;
  /** When the reader was last here: "09:12". */
  readonly since: string;
}

/** The line above the first unread message, with the rook on it. */
export function UnreadLine({ count, since }: UnreadLineProps) {
  return (
    <div class="perch" role="separator" aria-label={t('feed.newBelow', { count })}>
      <PerchedRook />
      <span>{t('feed.newSince', { count, time: since })}</span>
    </div>
  );
}

interface TopicBarProps {
  readonly channel: ChannelLook & { readonly name: string; readonly href: string };
  readonly topic: string;
  readonly href: string;
  readonly isUnnamed?: boolean | undefined;
  readonly date: string;
  readonly isFollowed?: boolean | undefined;
  readonly isMuted?: boolean | undefined;
  readonly isResolved?: boolean | undefined;
  /** False in feeds of one channel, whose name is known. */
  readonly showsChannel: boolean;
  readonly onResolve?: (() => void) | undefined;
  readonly onMenu?: ((anchor: HTMLElement) => void) | undefined;
}

/** The title bar of a topic in a feed of several topics; never two in a row for one topic. */
export function TopicBar(props: TopicBarProps) {
  const { channel, topic, href, isUnnamed, date, showsChannel, onResolve, onMenu } = props;
  return (
    <div class="topicbar">
      <ChannelIcon channel={channel} small />
      <h2 class="grow">
        {showsChannel && (
          <>
            <a class="in-channel clip" href={channel.href} dir="auto">
              {channel.name}
            </a>
            <Icon name="right" small />
          </>
        )}
        <a class="clip" href={href} dir="auto">
          {isUnnamed === true ? <em>{topic}</em> : topic}
        </a>
        <TopicMarks {...props} />
      </h2>
      <span class="date wide-only">{date}</span>
      {onResolve && (
        <span class="wide-only">
          <IconButton
            icon="resolve"
            label={t(props.isResolved === true ? 'head.unresolve' : 'head.resolve')}
            onPress={onResolve}
          />
        </span>
      )}
      {onMenu && (
        <IconButton
          icon="more"
          label={t('topic.menu', { topic })}
          popup="menu"
          onPress={(event) => event.currentTarget instanceof HTMLElement && onMenu(event.currentTarget)}
        />
      )}
    </div>
  );
}

function TopicMarks({ isResolved, isFollowed, isMuted }: TopicBarProps) {
  return (
    <>
      {isResolved === true && (
        <Tag>
          <span class="done">
            <Icon name="check" small />
          </span>
          <span class="wide-only">{t('topic.resolved')}</span>
          <span class="sr phone-only">{t('topic.resolved')}</span>
        </Tag>
      )}
      {isFollowed === true && <QuietMark icon="follow" label={t('topic.followed')} />}
      {isMuted === true && <QuietMark icon="mute" label={t('topic.muted')} />}
    </>
  );
}

function QuietMark({ icon, label }: { readonly icon: 'follow' | 'mute'; readonly label: string }) {
  return (
    <span class="quiet" role="img" aria-label={label}>
      <Icon name={icon} small />
    </span>
  );
}

interface DirectBarProps {
  readonly names: string;
  readonly href: string;
  readonly date: string;
}

/** The title bar of a direct conversation. */
export function DirectBar({ names, href, date }: DirectBarProps) {
  return (
    <div class="topicbar">
      <Icon name="people" small />
      <h2 class="grow">
        <a class="clip" href={href} dir="auto">
          {names}
        </a>
      </h2>
      <span class="date wide-only">{date}</span>
    </div>
  );
}

/** A notice about an event in the conversation, such as its resolution. */
export function NoticeRow({ children }: { readonly children: ComponentChildren }) {
  return (
    <p class="notice-row">
      <Icon name="resolve" small />
      <span dir="auto">{children}</span>
    </p>
  );
}

/** Says under the feed who is typing; the line keeps its height when nobody is. */
export function TypingLine({ names }: { readonly names: readonly string[] }) {
  const [first, second] = names;
  const text =
    first === undefined
      ? ''
      : second === undefined
        ? t('feed.typingOne', { name: first })
        : names.length === 2
          ? t('feed.typingTwo', { first, second })
          : t('feed.typingMany');
  return <p class="typing">{text}</p>;
}

/** A button that jumps to the end of the feed, with the number of messages that came meanwhile. */
export function JumpToNewest({ count, onJump }: { readonly count: number; readonly onJump: () => void }) {
  return (
    <div class="newest">
      <Button icon="down" onPress={onJump}>
        {count > 0 ? t('feed.newestCount', { count }) : t('feed.newest')}
      </Button>
    </div>
  );
}
