import type { Route } from '../addresses/index.ts';
import { type Client, useClient } from '../client/index.ts';
import { inConversation } from '../messages/index.ts';
import { directWith } from '../model/index.ts';
import { ConversationView } from '../views/conversation/conversation-view.tsx';
import { shownRoute } from '../views/home.ts';
import { LazyView, lazy } from './lazy-view.tsx';

type NarrowRoute = Extract<Route, { readonly view: 'narrow' }>;

const EVERYTHING: NarrowRoute = { view: 'narrow', narrow: [] };

const inbox = lazy(async () => (await import('../views/lists.ts')).InboxView);
const recent = lazy(async () => (await import('../views/lists.ts')).RecentView);
const topics = lazy(async () => (await import('../views/lists.ts')).TopicsView);
const later = lazy(async () => (await import('../views/lists.ts')).LaterView);
const manage = lazy(async () => (await import('../views/manage/manage-view.tsx')).ManageView);

/** Returns the narrow that the address shows; undefined for a view that is not of messages. */
export function narrowShown(client: Client): NarrowRoute | undefined {
  const there = shownRoute(client);
  if (there.view === 'narrow') return there;
  if (there.view === 'feed') return EVERYTHING;
  if (there.view !== 'user') return undefined;
  return { view: 'narrow', narrow: inConversation(directWith([there.id], client.model.me)) };
}

/** The view of the address. Code that the first conversation does not need is loaded on demand. */
export function View() {
  const client = useClient();
  const there = shownRoute(client);
  const shown = narrowShown(client);
  if (shown) return <ConversationView route={shown} />;
  switch (there.view) {
    case 'inbox':
      return <LazyView key="inbox" view={inbox} props={{}} />;
    case 'recent':
      return <LazyView key="recent" view={recent} props={{}} />;
    case 'topics':
      return <LazyView key={there.channelId} view={topics} props={{ channelId: there.channelId }} />;
    case 'drafts':
    case 'scheduled':
    case 'reminders':
      return <LazyView key="later" view={later} props={{ kind: there.view }} />;
    case 'channels':
    case 'groups':
    case 'settings':
    case 'organization':
      return <LazyView key="manage" view={manage} sheet="settings" props={{ route: there }} />;
    default:
      return <ConversationView route={EVERYTHING} />;
  }
}
