import type { ComponentChildren } from 'preact';
import { Avatar, Count, AvatarPair, type Face, Icon, IconButton, type IconName } from '../../ui/index.ts';
import { ChannelIcon, type ChannelLook } from '../../ui/channel-icon.tsx';
import { t } from '../../words/index.ts';

/** Properties of every row of the sidebar. */
export interface RowState {
  readonly href: string;
  readonly name: string;
  /** Whether the name stands for an empty topic. */
  readonly isUnnamed?: boolean | undefined;
  readonly isCurrent?: boolean | undefined;
  readonly unread?: number | undefined;
  /** Whether the unread messages are direct messages or mentions. */
  readonly isForYou?: boolean | undefined;
  readonly isMuted?: boolean | undefined;
  readonly onMore?: ((anchor: HTMLElement) => void) | undefined;
}

interface RowProps extends RowState {
  readonly lead?: ComponentChildren;
  /** Whether it is a view, which is never drawn as unread because its messages are counted elsewhere, too. */
  readonly isView?: boolean;
  /** A mark between the name and the count. */
  readonly mark?: ComponentChildren;
  /** A number that does not count unread messages. */
  readonly fact?: { readonly count: number; readonly word: string } | undefined;
}

function Row({
  href,
  name,
  isUnnamed,
  isCurrent,
  unread = 0,
  isForYou,
  isMuted,
  onMore,
  lead,
  mark,
  fact,
  isView = false,
}: RowProps) {
  const look = `side-row${unread > 0 && isMuted !== true && !isView ? ' unread' : ''}${isMuted === true ? ' muted' : ''}`;
  return (
    <li class={look}>
      <a href={href} aria-current={isCurrent === true ? 'page' : undefined}>
        {lead}
        <span class="grow clip" dir="auto">
          {isUnnamed === true ? <em>{name}</em> : name}
        </span>
        {mark}
        {fact && <Count count={fact.count} kind="bare" word={fact.word} />}
        <Count count={unread} kind={isForYou === true ? 'you' : isMuted === true ? 'bare' : 'unread'} />
      </a>
      {onMore && (
        <IconButton
          icon="more"
          small
          class="more"
          label={t('menu.more', { name })}
          popup="menu"
          onPress={(event) => event.currentTarget instanceof HTMLElement && onMore(event.currentTarget)}
        />
      )}
    </li>
  );
}

/** A view: inbox, recent conversations, mentions. */
export function ViewRow({
  icon,
  fact,
  ...row
}: RowState & { readonly fact?: RowProps['fact'] | undefined; readonly icon: IconName }) {
  return <Row {...row} lead={<Icon name={icon} />} isView {...(fact && { fact })} />;
}

interface DirectRowProps extends RowState {
  readonly faces: readonly Face[];
  /** Presence of the other person, if there is only one. */
  readonly presence?: 'active' | 'idle' | 'offline' | undefined;
}

/** A direct conversation. */
export function DirectRow({ faces, presence, ...row }: DirectRowProps) {
  const [first] = faces;
  const lead =
    first && faces.length === 1 ? <Avatar face={first} size={20} presence={presence} /> : <AvatarPair faces={faces} />;
  return <Row {...row} lead={lead} />;
}

/** A channel; its topics may follow below it. */
export function ChannelRow({ channel, ...row }: RowState & { readonly channel: ChannelLook }) {
  return <Row {...row} lead={<ChannelIcon channel={channel} />} mark={row.isMuted === true && <MutedMark />} />;
}

function MutedMark() {
  return (
    <span role="img" aria-label={t('sidebar.muted')}>
      <Icon name="mute" small />
    </span>
  );
}

interface TopicRowProps extends RowState {
  readonly isFollowed?: boolean | undefined;
  readonly isResolved?: boolean | undefined;
  readonly isMentioned?: boolean | undefined;
}

/** A topic below its channel. */
export function TopicRow({ isFollowed, isResolved, isMentioned, ...row }: TopicRowProps) {
  return (
    <Row
      {...row}
      isMuted={row.isMuted === true || isResolved === true}
      lead={
        <span class="slot">
          {isResolved === true ? (
            <>
              <Icon name="check" class="done" />
              <span class="sr">{t('sidebar.resolved')}</span>
            </>
          ) : (
            isFollowed === true && (
              <>
                <Icon name="follow" />
                <span class="sr">{t('sidebar.followed')}</span>
              </>
            )
          )}
        </span>
      }
      mark={
        isMentioned === true && (
          <span class="at" role="img" aria-label={t('sidebar.mentioned')}>
            <Icon name="at" />
          </span>
        )
      }
    />
  );
}

/** The topics of a channel, along a thin line below it. */
export function TopicBranch({ channel, children }: { readonly channel: string; readonly children: ComponentChildren }) {
  return (
    <li>
      <ul class="topics" aria-label={t('sidebar.topicsIn', { channel })}>
        {children}
      </ul>
    </li>
  );
}
