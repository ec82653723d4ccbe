import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { goToLogIn, useClient } from '../client/index.ts';
import { conversationIn, type Narrow } from '../messages/index.ts';
import { Banner, Button, Toasts } from '../ui/index.ts';
import { isNobody } from '../views/feed/empty-feed.tsx';
import { Guard } from '../views/guard.tsx';
import { useKeys } from '../views/keys/keys.ts';
import { hasPeople, isPeopleOver, isPeopleShown, togglePeople } from '../views/people/shown.ts';
import { isDrawerOpen } from '../views/shell/drawer.ts';
import { Frame } from '../views/shell/frame.tsx';
import { PhoneTabs } from '../views/shell/phone-tabs.tsx';
import { SidebarView } from '../views/sidebar/sidebar-view.tsx';
import { t } from '../words/index.ts';
import { useAppearance } from './appearance.ts';
import { LazyView, lazy } from './lazy-view.tsx';
import { OverlaysGuarded, useOverlayOf } from './overlays.tsx';
import { usePageTitle } from './page-title.ts';
import { narrowShown, View } from './view.tsx';

const confirm = lazy(async () => (await import('../views/manage/manage-view.tsx')).ConfirmDialog);

/** Milliseconds without a connection before the banner says so. */
const QUIET_MS = 3000;

/** The whole page. */
export function App() {
  const client = useClient();
  useAppearance();
  usePageTitle();
  const { notices, release } = client;
  const isNewer = release.isNewer.value;
  const isLive = client.sync.connection.value.is === 'live';
  const there = client.route.value;
  useKeys();
  const beside = usePeople();
  const narrow = narrowShown(client)?.narrow;
  const isConversation = narrow && conversationIn(narrow, client.model.me);
  // Before the view is painted: what a reader opens over it stays open.
  useLayoutEffect(() => {
    isDrawerOpen.value = false;
  }, [there]);
  useOverlayOf(there);
  return (
    <Frame
      left={
        <Guard>
          <SidebarView />
        </Guard>
      }
      right={beside}
      tabs={isConversation || client.model.me === 0 ? undefined : <PhoneTabs />}
      drawer={isDrawerOpen.value ? { onClose: () => (isDrawerOpen.value = false) } : undefined}
    >
      <ConnectionBanner />
      {isNewer && isLive ? <ReleaseBanner onDismiss={() => (release.isNewer.value = false)} /> : <PermissionBanner />}
      <Guard of={there} isPage>
        <View />
      </Guard>
      <OverlaysGuarded />
      {client.confirming.isAsked.value && <LazyView view={confirm} isQuiet props={{}} />}
      <Toasts
        toasts={notices.all.value.map(({ undo, ...one }) => ({
          ...one,
          ...(undo && { action: { label: t('common.undo'), onChoose: undo } }),
        }))}
        onDismiss={(id) => notices.dismiss(id)}
        onHold={(id, isHeld) => notices.hold(id, isHeld)}
      />
    </Frame>
  );
}

const people = lazy(async () => (await import('../views/lists.ts')).PeopleView);

/** The list of people of the open conversation or channel, beside it or over it. */
function usePeople() {
  const client = useClient();
  const there = client.route.value;
  const isOver = isPeopleOver.value;
  useEffect(() => {
    isPeopleOver.value = false;
  }, [there]);
  const narrow = narrowShown(client)?.narrow;
  if (!narrow || !hasPeople(narrow, client.model) || isNobody(client, narrow)) return undefined;
  if (!isOver && !isPeopleShown.value) return undefined;
  return <PeopleBeside narrow={narrow} isOver={isOver} />;
}

/** The list is updated only after the next conversation is painted. */
function PeopleBeside({ narrow, isOver }: { readonly narrow: Narrow; readonly isOver: boolean }) {
  const [shown, setShown] = useState(narrow);
  useEffect(() => setShown(narrow), [narrow]);
  return <LazyView view={people} isQuiet props={{ narrow: shown, isOver, onHide: togglePeople }} />;
}

/** Offers to load the server's newer client; it can be dismissed. */
function ReleaseBanner({ onDismiss }: { readonly onDismiss: () => void }) {
  return (
    <Banner
      icon="download"
      title={t('banner.newRelease')}
      calm
      onDismiss={onDismiss}
      action={
        <Button small onPress={() => location.reload()}>
          {t('common.reload')}
        </Button>
      }
    >
      <span class="wide-only">{t('banner.newReleaseHint')}</span>
    </Banner>
  );
}

const ASKED = 'roost-asked-for-notifications';

/** Asks once for permission to show notifications: at the first mention, when the purpose is plain. */
function PermissionBanner() {
  const { api, model, sync } = useClient();
  const [isGone, setGone] = useState(() => !mayAsk());
  const settings = model.facts.get('user_settings');
  const wasMentioned = useRef(false);
  // Also asks if the mention is read at once.
  if (!isGone) wasMentioned.current ||= model.unread.total.mentions > 0;
  if (
    isGone ||
    sync.connection.value.is !== 'live' ||
    model.me === 0 ||
    !wasMentioned.current ||
    !(settings?.enable_desktop_notifications === true || settings?.enable_offline_push_notifications === true)
  )
    return null;
  const done = () => {
    setGone(true);
    try {
      localStorage.setItem(ASKED, '1');
    } catch {
      // Without storage the question comes again at the next visit.
    }
  };
  // A browser without push services still shows notifications while a page is open.
  const allow = async () => {
    const state = await import('../views/lists.ts').then(({ turnOn }) => turnOn(api));
    if (state === 'unsupported') await Notification.requestPermission();
  };
  return (
    <Banner
      icon="bell"
      title={t('banner.notify')}
      calm
      onDismiss={done}
      action={
        <Button small onPress={() => void allow().then(done, done)}>
          {t('banner.notifyAllow')}
        </Button>
      }
    >
      <span class="wide-only">{t('banner.notifyHint')}</span>
    </Banner>
  );
}

function mayAsk(): boolean {
  try {
    return (
      'Notification' in globalThis && Notification.permission === 'default' && localStorage.getItem(ASKED) === null
    );
  } catch {
    return false;
  }
}

function GoToLogIn({ reason }: { readonly reason: string }) {
  useEffect(() => goToLogIn(reason), [reason]);
  return null;
}

/** Says that the server has been unreachable for a while, and when the client tries again. */
export function ConnectionBanner() {
  const { sync, clock, outbox } = useClient();
  const connection = sync.connection.value;
  const [now, setNow] = useState(clock.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(clock.now()), 500);
    return () => clearInterval(timer);
  }, []);
  if (connection.is === 'signedOut') {
    return <GoToLogIn reason={connection.reason} />;
  }
  if (connection.is !== 'away' || now - connection.since < QUIET_MS) return null;
  const count = Math.max(0, Math.ceil((connection.nextTryAt - now) / 1000));
  const waiting = outbox.waiting.value;
  return (
    <Banner
      icon="offline"
      title={t('banner.offline')}
      action={
        <Button small onPress={() => sync.wake()}>
          {t('common.retry')}
        </Button>
      }
    >
      {waiting > 0 ? t('banner.waiting', { count: waiting }) : t('banner.offlineHint', { count })}
    </Banner>
  );
}
