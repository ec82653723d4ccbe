import type { ComponentChildren } from 'preact';
import { ChannelIcon, type ChannelLook } from '../../ui/channel-icon.tsx';
import { Icon, IconButton } from '../../ui/index.ts';
import { t } from '../../words/index.ts';
import { overlay } from '../overlays/open.ts';

interface HeadProps {
  readonly children: ComponentChildren;
  /** Actions of the view. */
  readonly tools?: ComponentChildren;
  /** On phones: target of the back button; `onMenu` opens the sidebar instead. */
  readonly back?: string | undefined;
  readonly onMenu?: (() => void) | undefined;
}

/** The head of a view. */
export function Head({ children, tools, back, onMenu }: HeadProps) {
  return (
    <header class="head">
      {back !== undefined && (
        <a class="icon-btn phone-only" href={back} aria-label={t('common.back')}>
          <Icon name="back" />
        </a>
      )}
      {onMenu && (
        <span class="phone-only">
          <IconButton icon="menu" label={t('shell.menu')} onPress={onMenu} />
        </span>
      )}
      {children}
      {(tools || onMenu) && (
        <div class="tools">
          {tools}
          {onMenu && (
            <span class="phone-only">
              <IconButton icon="search" label={t('shell.jump')} onPress={() => (overlay.value = 'palette')} />
            </span>
          )}
        </div>
      )}
    </header>
  );
}

interface TopicTitleProps {
  readonly channel: ChannelLook & { readonly name: string; readonly href: string };
  /** Address of the list of the channel's topics, to which the title leads on phones. */
  readonly topics: string;
  readonly topic: string;
  /** Whether it is the unnamed topic, for which the client has a text. */
  readonly isUnnamed?: boolean;
  readonly isResolved?: boolean;
}

/** The title of a topic: the channel's name, then the topic as a heading. */
export function TopicTitle({ channel, topics, topic, isUnnamed = false, isResolved = false }: TopicTitleProps) {
  const ways = [
    ['wide-only', channel.href],
    ['phone-only', topics],
  ] as const;
  return (
    <div class="crumbs">
      {ways.map(([where, href]) => (
        <a key={where} class={where} href={href}>
          <ChannelIcon channel={channel} small />
          <span class="clip" dir="auto">
            {channel.name}
          </span>
        </a>
      ))}
      <Icon name="right" small />
      {isResolved && (
        <span class="done resolved" role="img" aria-label={t('topic.resolved')}>
          <Icon name="check" small />
        </span>
      )}
      <h1 class="clip" title={topic} dir="auto">
        {isUnnamed ? <em>{topic}</em> : topic}
      </h1>
    </div>
  );
}

interface PlainTitleProps {
  readonly children: string;
  /** A picture before the title. */
  readonly lead?: ComponentChildren;
  /** A short text after the title, where there is room. */
  readonly note?: string | undefined;
}

/** The title of any other view. */
export function PlainTitle({ children, lead, note = '' }: PlainTitleProps) {
  return (
    <>
      {lead}
      <h1 class="clip" dir="auto">
        {children}
      </h1>
      {note !== '' && (
        <p class="quiet clip grow wide-only after-title" dir="auto">
          {note}
        </p>
      )}
    </>
  );
}

interface ChannelTitleProps {
  readonly channel: ChannelLook & { readonly name: string };
  readonly description?: string | undefined;
}

/** The title of a channel: its name and description. */
export function ChannelTitle({ channel, description }: ChannelTitleProps) {
  return (
    <PlainTitle lead={<ChannelIcon channel={channel} />} note={description}>
      {channel.name}
    </PlainTitle>
  );
}
