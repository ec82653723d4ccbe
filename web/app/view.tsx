import { useClient } from '../client/index.ts';
import { inConversation } from '../messages/index.ts';
import { directWith } from '../model/index.ts';
import { ConversationView } from '../views/conversation/conversation-view.tsx';
import { shownRoute } from '../views/home.ts';
import { LazyView } from './lazy-view.tsx';

const EVERYTHING = { view: 'narrow', narrow: [] } as const;

const loadInbox = async () => (await import('../views/lists.ts')).InboxView;
const loadRecent = async () => (await import('../views/lists.ts')).RecentView;
const loadTopics = async () => (await import('../views/lists.ts')).TopicsView;
const loadLater = async () => (await import('../views/lists.ts')).LaterView;
const loadManage = async () => (await import('../views/manage/manage-view.tsx')).ManageView;

/** What the address shows. What the first conversation does not need is loaded when it is asked for. */
export function View() {
  const client = useClient();
  const there = shownRoute(client);
  switch (there.view) {
    case 'narrow':
      return <ConversationView route={there} />;
    case 'inbox':
      return <LazyView key="inbox" load={loadInbox} props={{}} />;
    case 'recent':
      return <LazyView key="recent" load={loadRecent} props={{}} />;
    case 'topics':
      return <LazyView key={there.channelId} load={loadTopics} props={{ channelId: there.channelId }} />;
    case 'drafts':
    case 'scheduled':
    case 'reminders':
      return <LazyView key="later" load={loadLater} props={{ kind: there.view }} />;
    case 'channels':
    case 'groups':
    case 'settings':
    case 'organization':
      return <LazyView key="manage" load={loadManage} sheet="settings" props={{ route: there }} />;
    case 'user':
      return (
        <ConversationView route={{ view: 'narrow', narrow: inConversation(directWith([there.id], client.model.me)) }} />
      );
    default:
      return <ConversationView route={EVERYTHING} />;
  }
}
