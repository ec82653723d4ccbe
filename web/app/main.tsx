import { render } from 'preact';
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
import { openKept } from '../sync/index.ts';
import { formatNumber } from '../words/index.ts';
import { fetchOpening, openingOf } from '../views/feed/opening.ts';
import { App } from './app.tsx';
import { narrowShown } from './view.tsx';

/** How often typing notices and presences become old, in milliseconds. */
const TICK_MS = 5000;
/** Milliseconds after which what is needed next is fetched even while the browser has much to do. */
const IDLE_MS = 2000;

async function start(root: HTMLElement): Promise<void> {
  const account = pageFact('account') ?? VISITOR;
  const opening = openKept(account);
  // The first number of a page takes the browser some 25 ms: better while it opens what is kept.
  formatNumber(0);
  const client = openClient(account, await opening);
  const { clock, model, sync } = client;
  for (const change of ['online', 'offline']) addEventListener(change, () => sync.wake());
  addEventListener('storage', ({ key }) => {
    client.drafts.changed(key);
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
  }, TICK_MS);
  await sync.start();
  await openShown(client);
  model.presences.tick(client.presence.now());
  client.draftSync.start();
  void client.presence.run(new AbortController().signal);
  render(
    <ClientProvider value={client}>
      <App />
    </ClientProvider>,
    root,
  );
  // Before the next view is drawn, which takes a while.
  client.route.subscribe(() => void openShown(client));
  if (model.me === 0) void visit(client);
  // Not before there is something to see.
  void import('../push/index.ts').then(({ followPush, keepShell }) => {
    void followPush(client.api, model, client.clock);
    // Nobody's page is not kept.
    if (pageFact('account') !== undefined) void keepShell();
  });
  if (model.me !== 0) whenIdle(() => void import('../views/lists.ts').catch(() => undefined));
}

/** Runs when the browser has nothing else to do: what the next conversation, an inbox or a dialog needs is here before it is asked for. */
function whenIdle(run: () => void): void {
  // Not every browser tells.
  if ('requestIdleCallback' in globalThis) requestIdleCallback(run, { timeout: IDLE_MS });
  else setTimeout(run, IDLE_MS);
}

/** Asks for the messages of the address before anything is drawn; those that an earlier visit has kept are in the first picture. */
async function openShown(client: Client): Promise<void> {
  const shown = narrowShown(client);
  if (!shown) return;
  const window = client.messages.window(shown.narrow);
  if (window.isKnown.peek()) return;
  if (client.sync.connection.peek().is !== 'away')
    void fetchOpening(client, window, openingOf(client, window, shown.near));
  await client.earlier.show(window, shown.near);
}

/** Looks for news of what a visitor reads, as long as the page is there. */
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
