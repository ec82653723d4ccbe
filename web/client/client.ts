import { type ReadonlySignal, signal } from '@preact/signals';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { type Names, type Route, routeOf } from '../addresses/index.ts';
import { Api, type Clock } from '../api/index.ts';
import { Messages, messagesIn } from '../messages/index.ts';
import { type AnyEvent, Model } from '../model/index.ts';
import { aloneTab, type AccountStorage, openTabs, Outbox, Sync, type Tabs } from '../sync/index.ts';
import { t } from '../words/index.ts';
import { browserClock } from './clock.ts';
import { Confirming } from './confirming.ts';
import { Deleting } from './deleting.ts';
import { DraftSync } from './draft-sync.ts';
import { Drafts } from './drafts.ts';
import { Edits } from './edits.ts';
import { EarlierMessages } from './earlier-messages.ts';
import { EmojiSource } from './emoji.ts';
import { Notifier } from './notifications.ts';
import { OwnTyping } from './own-typing.ts';
import { Follower } from './moved.ts';
import { Notices } from './notices.ts';
import { csrfToken } from './page.ts';
import { PresencePings } from './presence-pings.ts';
import { postLogOut } from './session.ts';
import { Reading } from './reading.ts';
import { ChannelTopics } from './topics.ts';
import { openRelease, type Release } from './release.ts';
import { chirp, LookedAt, showNotification } from './screen.ts';
import { findEntry, messageSource, sendEntry } from './source.ts';
import { TakingBack } from './taking-back.ts';

/** Everything that views work with. */
export interface Client {
  readonly api: Api;
  readonly clock: Clock;
  readonly model: Model;
  readonly messages: Messages;
  readonly outbox: Outbox;
  readonly sync: Sync;
  readonly reading: Reading;
  readonly drafts: Drafts;
  readonly draftSync: DraftSync;
  /** Changed texts of messages that were not saved. */
  readonly edits: Edits;
  readonly typing: OwnTyping;
  readonly emoji: EmojiSource;
  readonly topics: ChannelTopics;
  readonly presence: PresencePings;
  readonly earlier: EarlierMessages;
  /** The view that the address leads to. */
  readonly route: ReadonlySignal<Route>;
  /** The current names of channels, for addresses. */
  readonly names: Names;
  /** Ends the session, and deletes the server's data from this browser. */
  readonly logOut: () => Promise<void>;
  readonly notices: Notices;
  /** Asks the person to confirm who they are before actions that only the account's owner may take. */
  readonly confirming: Confirming;
  readonly deleting: Deleting;
  readonly takingBack: TakingBack;
  readonly release: Release;
}

/** Storage name for visitors, who have no account. */
export const VISITOR = 'spectator';

/** Builds the client of an account. Logging out calls `onLogOut` before the session ends. */
export function openClient(account: string, storage: AccountStorage, onLogOut: (api: Api) => Promise<void>): Client {
  const clock = browserClock;
  const model = new Model();
  const notices = new Notices(clock);
  const confirming = new Confirming();
  const api = new Api({
    clock,
    fetch: (url, init) => fetch(url, init),
    token: csrfToken,
    onSignedOut: () => sync.wake(),
    onConfirm: () => confirming.ask(),
    onLimited: (seconds) => notices.show(t('notice.limited', { count: Math.ceil(seconds) })),
  });
  const messages = new Messages(model, messageSource(api, account === VISITOR));
  const tabs: Tabs = storage.isShared ? openTabs(account) : aloneTab;
  const outbox = new Outbox({
    storage,
    clock,
    announce: () => tabs.tell({ what: 'outbox' }),
    catchUp: () => sync.wake(),
    send: (entry, queueId) => sendEntry(api, entry, queueId),
    find: (entry) => findEntry(api, entry, model.me),
    newest: () => model.facts.peek('max_message_id'),
    isLeading: () => sync.isLeading.peek(),
    onUnstored: () => {
      notices.show(t('notice.unstored'));
      void sync.poll();
    },
  });
  const onOddity = (what: string, error: unknown) =>
    reportError(new Error(`${what} was not understood`, { cause: error }));
  const lookedAt = new LookedAt(account);
  const notifier = new Notifier({
    model,
    clock: { now: () => presence.now() * 1000 },
    names: namesOf(model),
    show: showNotification,
    sound: chirp,
    lookedAt: () => lookedAt.get(),
  });
  const onNews = (events: readonly AnyEvent[]) => {
    for (const event of events) {
      const id = event.type === 'message' ? messagesIn(event)[0] : undefined;
      const message = id === undefined ? undefined : messages.table.peek(id);
      if (message) notifier.received(message);
    }
  };
  const onApplied = (event: AnyEvent) => follower.applied(event);
  const sync: Sync = new Sync({ api, clock, storage, tabs, model, messages, outbox, onOddity, onNews, onApplied });
  const names = namesOf(model);
  const route = signal<Route>({ view: 'home' });
  let seen = location.hash;
  const look = () => {
    seen = location.hash;
    route.value = routeOf(seen, names);
  };
  const follow = () => {
    if (location.hash !== seen) look();
  };
  addEventListener('hashchange', follow);
  // A key may come before the event of the address, and is meant for the new view.
  addEventListener('keydown', follow, true);
  const reading = new Reading(api, clock, model, messages);
  const drafts = new Drafts(account, () => clock.now());
  const moveDraft = drafts.move.bind(drafts);
  const follower = new Follower({ route, messages, model, names, moveDraft });
  sync.isLoaded.subscribe((isLoaded) => isLoaded && look());
  const isLeading = () => sync.isLeading.value;
  const draftSync = new DraftSync({ api, clock, model, drafts, isLeading });
  const presence = new PresencePings({
    api,
    clock,
    model,
    isVisible: () => document.visibilityState === 'visible',
    isLeading: () => sync.isLeading.peek(),
  });
  let isOver = false;
  const earlier = new EarlierMessages({
    storage,
    clock,
    model,
    messages,
    isOver: () => isOver || sync.connection.peek().is === 'signedOut',
  });
  const logOut = async () => {
    await onLogOut(api).catch(() => undefined);
    isOver = true;
    await sync.end();
    await postLogOut();
  };
  const deleting = new Deleting({ api, clock, onRefused: (sentence) => notices.show(sentence) });
  addEventListener('pagehide', () => deleting.flush());
  return {
    api,
    clock,
    model,
    messages,
    outbox,
    sync,
    reading,
    drafts,
    draftSync,
    edits: new Edits(account, () => clock.now()),
    typing: new OwnTyping(api, clock, model),
    emoji: new EmojiSource(model, account),
    topics: new ChannelTopics(api, clock),
    presence,
    earlier,
    route,
    names,
    notices,
    confirming,
    deleting,
    release: openRelease(clock, sync),
    takingBack: new TakingBack({ api, clock, outbox, drafts }),
    logOut,
  };
}

function namesOf(model: Model): Names {
  return {
    get me() {
      return model.me;
    },
    nameOf: (id) => model.channels.table.peek(id)?.channel.name,
    channelNamed: (name) =>
      [...model.channels.table.peekAll()].find(
        ([, { channel }]) => channel.name.toLowerCase() === name.toLowerCase(),
      )?.[0],
  };
}

/** Shows a notice with the client's or the server's sentence. */
export function showNotice(client: Client, text: string, isError = true): void {
  client.notices.show(text, { isError });
}

const Context = createContext<Client | undefined>(undefined);
export const ClientProvider = Context.Provider;

/** Returns the client inside a view. */
export function useClient(): Client {
  const client = useContext(Context);
  if (!client) throw new Error('outside the client');
  return client;
}
