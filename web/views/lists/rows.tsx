import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { ChannelIcon, type ChannelLook } from '../../ui/channel-icon.tsx';
import {
  Avatar,
  Chip,
  Count,
  FoldButton,
  AvatarPair,
  type Face,
  FaceStack,
  Icon,
  IconButton,
  withAnchor,
} from '../../ui/index.ts';
import { SearchInput } from '../../ui/field.tsx';
import { Region } from '../../ui/region.tsx';
import { listOf } from '../../words/index.ts';
import { t } from '../../words/deferred.ts';
import type { ShownTime } from '../feed/message-row.tsx';
import { useHold } from '../feed/use-hold.ts';

/** Properties that rows of the inbox and of recent conversations share. */
interface RowBase {
  readonly href: string;
  readonly title: string;
  /** Whether it is the unnamed topic, for which the client has a text. */
  readonly isUnnamed?: boolean | undefined;
  readonly unread: number;
  /** Whether the unread messages are direct messages or mentions. */
  readonly isForYou?: boolean | undefined;
  readonly isMentioned?: boolean | undefined;
  readonly isFollowed?: boolean | undefined;
  readonly isResolved?: boolean | undefined;
  readonly isMuted?: boolean | undefined;
  readonly time: ShownTime;
  readonly onRead?: (() => void) | undefined;
  readonly onFollow?: ((anchor: HTMLElement) => void) | undefined;
  readonly onMenu?: ((anchor: HTMLElement) => void) | undefined;
}

/** The pictures or the channel before a row. */
export type Lead =
  | { readonly faces: readonly Face[]; readonly presence?: 'active' | 'idle' | 'offline' | undefined }
  | { readonly channel: ChannelLook };

function LeadPicture({ lead }: { readonly lead: Lead }) {
  if ('channel' in lead) return <ChannelIcon channel={lead.channel} />;
  const [first] = lead.faces;
  return first && lead.faces.length === 1 ? (
    <Avatar face={first} size={24} presence={lead.presence} />
  ) : (
    <AvatarPair faces={lead.faces} />
  );
}

interface InboxRowProps extends RowBase {
  readonly lead: Lead;
  /** The beginning of the last message, with its sender. */
  readonly last: string;
  /** The channel, on phones, where channels have no rows of their own. */
  readonly channel?: (ChannelLook & { readonly name: string }) | undefined;
}

/** Returns what lets a long press on a row open its menu, whose button is not there on phones. */
function useHeld({ onMenu, onFollow }: RowBase) {
  const ref = useRef<HTMLLIElement>(null);
  const open = () => ref.current && (onMenu ?? onFollow)?.(ref.current);
  return { ref, ...useHold(open) };
}

/** An unread conversation. */
export function InboxRow({ lead, last, channel, ...row }: InboxRowProps) {
  return (
    <li class={channel ? 'lrow in' : 'lrow'} {...useHeld(row)}>
      <a href={row.href}>
        <span class="lead">
          <LeadPicture lead={lead} />
        </span>
        <Title {...row} />
        <span class="last clip" dir="auto">
          {channel && (
            <span class="in-chan phone-only">
              <ChannelIcon channel={channel} small />
              {channel.name} ·{' '}
            </span>
          )}
          {last}
        </span>
        <End {...row} />
      </a>
      <Quick {...row} />
    </li>
  );
}

interface RecentRowProps extends RowBase {
  readonly lead: Lead;
  readonly where: string;
  /** The beginning of the last message, in direct conversations. */
  readonly last?: string | undefined;
  /** Up to four people who wrote last, and the number of others. */
  readonly people: readonly Face[];
  readonly morePeople: number;
}

/** A conversation in the list by time. */
export function RecentRow({ lead, where, last, people, morePeople, ...row }: RecentRowProps) {
  const look = `lrow rec${row.unread > 0 ? ' unread' : ''}${row.isMuted === true ? ' muted' : ''}`;
  return (
    <li class={look} {...useHeld(row)}>
      <a href={row.href}>
        <span class="lead">
          <LeadPicture lead={lead} />
        </span>
        <Title {...row} />
        <span class="where clip" dir="auto">
          {where}
        </span>
        {last !== undefined && (
          <span class="last clip" dir="auto">
            {last}
          </span>
        )}
        <FaceStack
          faces={people}
          more={morePeople}
          label={people.length === 0 ? undefined : namesOf(people, morePeople)}
        />
        <End {...row} />
      </a>
      <Quick {...row} />
    </li>
  );
}

function namesOf(people: readonly Face[], more: number): string {
  const names = people.map(({ name }) => name);
  return more > 0 ? t('list.people', { names: names.join(', '), more }) : listOf(names);
}

function Title({ title, isUnnamed }: RowBase) {
  return (
    <span class="title clip" dir="auto">
      {isUnnamed === true ? <em>{title}</em> : title}
    </span>
  );
}

function End({ isFollowed, isMentioned, isResolved, isMuted, unread, isForYou, time }: RowBase) {
  return (
    <span class="end">
      {isResolved === true && <Mark icon="check" label={t('topic.resolved')} look="done" />}
      {isFollowed === true && <Mark icon="follow" label={t('topic.followed')} look="quiet" />}
      {isMuted === true && <Mark icon="mute" label={t('topic.muted')} look="quiet" />}
      {isMentioned === true && <Mark icon="at" label={t('list.mentioned')} look="at" />}
      <Count count={unread} kind={isForYou === true ? 'you' : 'unread'} />
      <time dateTime={time.iso} title={time.full}>
        {time.text}
      </time>
    </span>
  );
}

interface MarkProps {
  readonly icon: 'check' | 'follow' | 'mute' | 'at';
  readonly label: string;
  readonly look: string;
}

function Mark({ icon, label, look }: MarkProps) {
  return (
    <span class={look} role="img" aria-label={label}>
      <Icon name={icon} small />
    </span>
  );
}

function Quick({ onRead, onFollow, onMenu }: RowBase) {
  return (
    <div class="quick" role="group" aria-label={t('list.actions')}>
      {onRead && <IconButton icon="read" label={t('list.read')} onPress={onRead} />}
      {onFollow && (
        <IconButton icon="follow" label={t('list.followOrMute')} popup="menu" onPress={withAnchor(onFollow)} />
      )}
      {onMenu && <IconButton icon="more" label={t('common.more')} popup="menu" onPress={withAnchor(onMenu)} />}
    </div>
  );
}

interface GroupHeadProps {
  readonly title: string;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
  readonly unread: number;
  readonly onRead?: (() => void) | undefined;
}

/** The title of a group of the inbox: direct messages, or a folder. */
export function GroupHead({ title, isOpen, onToggle, unread, onRead }: GroupHeadProps) {
  return (
    <div class="box-h">
      <h2>
        <FoldButton title={title} isOpen={isOpen} onToggle={onToggle} />
      </h2>
      <Count count={unread} />
      {onRead && (
        <span class="phone-only">
          <IconButton icon="read" label={t('list.readOf', { name: title })} onPress={onRead} />
        </span>
      )}
    </div>
  );
}

interface ChannelHeadProps {
  readonly channel: ChannelLook & { readonly name: string; readonly href: string };
  readonly onRead?: (() => void) | undefined;
}

/** The title of a channel in the inbox. */
export function ChannelHead({ channel, onRead }: ChannelHeadProps) {
  return (
    <div class="chan-h">
      <ChannelIcon channel={channel} />
      <h3>
        <a href={channel.href} dir="auto">
          {channel.name}
        </a>
      </h3>
      {onRead && <IconButton icon="read" label={t('list.readOf', { name: channel.name })} onPress={onRead} />}
    </div>
  );
}

interface FiltersProps {
  readonly filters: readonly { readonly key: string; readonly label: string; readonly isOn: boolean }[];
  readonly onFilter: (key: string) => void;
  readonly query: string;
  readonly onQuery: (query: string) => void;
  readonly placeholder?: string | undefined;
}

/** Filter chips of a list, and its search field. */
export function Filters({ filters, onFilter, query, onQuery, placeholder = t('list.find') }: FiltersProps) {
  return (
    <div class="filters" role="group" aria-label={t('list.filter')}>
      {filters.map(({ key, label, isOn }) => (
        <Chip key={key} pressed={isOn} onPress={() => onFilter(key)}>
          {label}
        </Chip>
      ))}
      <SearchInput label={t('list.find')} placeholder={placeholder} value={query} onText={onQuery} />
    </div>
  );
}

/** The page of a list. */
export function ListPage({ label, children }: { readonly label: string; readonly children: ComponentChildren }) {
  return (
    <Region class="scroll" label={label}>
      <div class="list-page">{children}</div>
    </Region>
  );
}
