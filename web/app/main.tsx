import { effect } from '@preact/signals';
import { type ComponentChildren, render } from 'preact';
import {
  type Client,
  ClientProvider,
  density,
  openClient,
  pageFact,
  Visiting,
  VISITOR,
  visitorTheme,
} from '../client/index.ts';
import { openStorage } from '../sync/index.ts';
import { formatNumber, speak } from '../words/index.ts';
import { fetchOpening, openingOf } from '../views/feed/opening.ts';
import { App, ConnectionBanner } from './app.tsx';
import { narrowShown } from './view.tsx';

/** Interval at which typing notices and presences expire, and messages that nothing shows go, in milliseconds. */
const TICK_MS = 5000;
/** Milliseconds after which the rest is loaded even while the browser is busy. */
const IDLE_MS = 2000;

async function start(root: HTMLElement): Promise<void> {
  const account = pageFact('account') ?? VISITOR;
  const opening = openStorage(account);
  // The first formatted number takes the browser some 25 ms; done while storage is being opened.
  formatNumber(0);
  // The next person at this browser must not receive notifications of this account.
  const client = openClient(account, await opening, async (api) => (await import('../views/lists.ts')).turnOff(api));
  const { clock, model, sync } = client;
  for (const change of ['online', 'offline']) addEventListener(change, () => sync.wake());
  addEventListener('storage', ({ key }) => {
    client.drafts.changed(key);
    client.edits.changed(key);
    density.read();
    visitorTheme.read();
  });
  for (const sign of ['keydown', 'pointermove', 'pointerdown', 'wheel', 'focus'])
    addEventListener(sign, () => client.presence.used(), { passive: true, capture: true });
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') return;
    client.presence.used();
    client.release.look();
    sync.wake();
  });
  setInterval(() => {
    model.typing.expire(clock.now());
    model.presences.tick(client.presence.now());
    const shown = narrowShown(client);
    if (shown) client.messages.sweepIfMany(client.messages.window(shown.narrow));
  }, TICK_MS);
  // Says what it waits for, or leads to the log-in page, until there is something to show.
  const show = (what: ComponentChildren) => {
    // What the page itself shows until then.
    root.querySelector('.waiting')?.remove();
    render(<ClientProvider value={client}>{what}</ClientProvider>, root);
  };
  const stopWaiting = effect(() => {
    if (sync.connection.value.is !== 'away' && sync.connection.value.is !== 'signedOut') return;
    show(
      <main>
        <h1 class="sr">{document.title}</h1>
        <ConnectionBanner />
      </main>,
    );
  });
  await sync.start();
  stopWaiting();
  // The organization's language for visitors.
  await speak(model.facts.get('user_settings')?.default_language);
  await openShown(client);
  model.presences.tick(client.presence.now());
  client.draftSync.start();
  void client.presence.run(new AbortController().signal);
  show(<App />);
  // Subscribed before the next view is drawn, because drawing takes a while.
  client.route.subscribe(() => void openShown(client));
  if (model.me === 0) void visit(client);
  else whenIdle(() => void loadRest(client).catch(() => undefined));
}

/** Loads what the next conversation, the inbox or a dialog needs, and starts what an account's page does besides. */
async function loadRest({ api, model, clock }: Client): Promise<void> {
  const { followPush, keepShell } = await import('../views/lists.ts');
  void followPush(api, model, clock);
  void keepShell();
}

/** Runs a function when the browser is idle. */
function whenIdle(run: () => void): void {
  // Not every browser reports when it is idle.
  if ('requestIdleCallback' in globalThis) requestIdleCallback(run, { timeout: IDLE_MS });
  else setTimeout(run, IDLE_MS);
}

/**
 * Requests the messages of the address before anything is drawn; stored ones of an earlier visit are in the first
 * paint.
 */
async function openShown(client: Client): Promise<void> {
  const shown = narrowShown(client);
  if (!shown) return;
  const window = client.messages.window(shown.narrow);
  if (window.isKnown.peek()) return;
  if (client.sync.connection.peek().is !== 'away')
    void fetchOpening(client, window, openingOf(client, window, shown.near));
  await client.earlier.show(window, shown.near);
}

/** Polls for new messages in what a visitor reads, for as long as the page is open. */
async function visit(client: Client): Promise<void> {
  const { clock, messages } = client;
  const visiting = new Visiting({
    clock,
    isVisible: () => document.visibilityState === 'visible',
    look: () => messages.refresh(messages.window(narrowShown(client)?.narrow ?? [])),
  });
  document.addEventListener('visibilitychange', () => visiting.wake());
  await visiting.run(new AbortController().signal);
}

const root = document.getElementById('app');
if (root) void start(root);
