import { render } from 'preact';
import { ComposerStates } from './composer.tsx';
import { Conversation } from './conversation.tsx';
import { ChannelFeed } from './feed.tsx';
import { Channels, Drafts, EmptyInbox, Inbox, LoadingList, Recent } from './lists.tsx';
import { Over } from './overlays.tsx';
import { Parts } from './parts.tsx';
import { Settings } from './settings.tsx';

/** Pages of the gallery, by the name in the address. */
const PAGES = {
  conversation: () => <Conversation />,
  offline: () => <Conversation banner="offline" />,
  release: () => <Conversation banner="release" />,
  feed: () => <ChannelFeed />,
  composer: () => <ComposerStates />,
  parts: () => <Parts />,
  inbox: () => <Inbox />,
  'inbox-empty': () => <EmptyInbox />,
  loading: () => <LoadingList />,
  recent: () => <Recent />,
  drafts: () => <Drafts />,
  channels: () => <Channels />,
  settings: () => <Settings />,
  card: () => <Over overlay="card" />,
  emoji: () => <Over overlay="emoji" />,
  palette: () => <Over overlay="palette" />,
  keys: () => <Over overlay="keys" />,
  lightbox: () => <Over overlay="lightbox" />,
};

const query = new URL(location.href).searchParams;
const { dataset } = document.documentElement;
for (const name of ['theme', 'density', 'contrast']) {
  const value = query.get(name);
  if (value !== null) dataset[name] = value;
}
document.documentElement.dir = query.get('dir') ?? 'ltr';

const root = document.getElementById('app');
const chosen = Object.entries(PAGES).find(([name]) => name === query.get('page'));
if (root) render(chosen ? chosen[1]() : <Index />, root);

function Index() {
  return (
    <main>
      <h1>Gallery</h1>
      <ul>
        {Object.keys(PAGES).map((name) => (
          <li key={name}>
            <a href={`?page=${name}`}>{name}</a>
          </li>
        ))}
      </ul>
    </main>
  );
}
