import { useEffect, useMemo } from 'preact/hooks';
import { paced } from '../api/index.ts';
import { type Client, useClient } from '../client/index.ts';
import { channelIn, conversationIn } from '../messages/index.ts';
import { keyOf, Policy } from '../model/index.ts';
import { feedKind } from '../views/feed/kind.ts';
import { shownRoute } from '../views/home.ts';
import { ownPictures } from '../views/own-pictures.ts';
import { channelLook, titleOf } from '../views/shown.ts';
import { t } from '../words/index.ts';
import { narrowShown } from './view.tsx';

/** Values of `desktop_icon_count_display`; with any other value there is no count. */
const [ALL, FOLLOWED, ABOUT_ME] = [1, 2, 3];

/** Shows the place and the number of unread messages in the window's title and on the icon of an installed client. */
export function usePageTitle(): void {
  const client = useClient();
  const place = placeOf(client);
  const count = countOf(client);
  const title = [place, client.model.facts.get('realm_name') ?? 'Roost'].filter((part) => part !== '').join(' · ');
  const pace = useMemo(() => paced(client.clock, TITLE_MS), [client]);
  useEffect(() => pace(() => tell(title, count)), [pace, title, count]);
  const { icon } = ownPictures(client);
  useEffect(() => {
    const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
    if (!link || (icon === undefined && link.type !== '')) return;
    link.type = icon === undefined ? 'image/svg+xml' : '';
    link.href = icon ?? ICON;
  }, [icon]);
}

/**
 * Updating title and badge takes the browser half a millisecond, so it is not done for each of many messages a second.
 */
const TITLE_MS = 500;

function tell(title: string, count: number): void {
  document.title = count > 0 ? `(${count}) ${title}` : title;
  // Browsers refuse the badge where the client is not installed.
  void navigator.setAppBadge?.(count).catch(() => undefined);
}

/** Address of the product's icon. */
const ICON = '/assets/icon.svg';

function countOf({ model }: Client): number {
  const { unread } = model;
  const wish = model.facts.get('user_settings')?.desktop_icon_count_display;
  if (wish === ALL) return unread.total.unread;
  if (wish !== FOLLOWED && wish !== ABOUT_ME) return 0;
  const counted = new Set(unread.mentions);
  for (const { conversation, ids } of wish === FOLLOWED ? unread.conversations : unread.directConversations) {
    const isFollowed = wish === FOLLOWED && model.policies.get(keyOf(conversation)) === Policy.followed;
    if ('people' in conversation || isFollowed) for (const id of ids) counted.add(id);
  }
  return counted.size;
}

function placeOf(client: Client): string {
  const shown = shownRoute(client);
  if (shown.view === 'feed' && client.model.me === 0) return t('visitor.feed');
  if (shown.view === 'topics') return channelTitle(client, shown.channelId);
  const there = shown.view === 'user' ? narrowShown(client) : shown;
  if (there?.view !== 'narrow') {
    const key = TITLES[shown.view];
    return key === undefined ? '' : t(key);
  }
  const conversation = conversationIn(there.narrow, client.model.me);
  if (conversation && 'people' in conversation) return titleOf(client, conversation);
  if (conversation) return `${titleOf(client, conversation)} · #${channelLook(client, conversation.channelId).name}`;
  const channel = there.narrow.length === 1 ? channelIn(there.narrow) : undefined;
  if (typeof channel === 'number') return channelTitle(client, channel);
  const kind = feedKind(there.narrow, client.model.me);
  if (kind === 'conversation') return '';
  return kind === 'search' ? t('search.title') : kind === 'direct' ? t('sidebar.direct') : t(`nav.${kind}`);
}

function channelTitle(client: Client, id: number): string {
  return client.model.channels.table.get(id) ? `#${channelLook(client, id).name}` : t('missing.title');
}

const VIEWS = {
  inbox: 'nav.inbox',
  recent: 'nav.recentLong',
  feed: 'nav.feed',
  drafts: 'nav.drafts',
  scheduled: 'nav.scheduled',
  reminders: 'nav.reminders',
  channels: 'nav.channels',
  groups: 'nav.groups',
  settings: 'settings.title',
  organization: 'org.settings',
} as const;
/** The text of each view that is not a list of messages. */
const TITLES: Readonly<Partial<Record<string, (typeof VIEWS)[keyof typeof VIEWS]>>> = VIEWS;
