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
import { App } from './app.tsx';

/** How often typing notices and presences become old, in milliseconds. */
const TICK_MS = 5000;

async function start(root: HTMLElement): Promise<void> {
  const account = pageFact('account') ?? VISITOR;
  const client = openClient(account, await openKept(account));
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
  model.presences.tick(client.presence.now());
  client.draftSync.start();
  void client.presence.run(new AbortController().signal);
  render(
    <ClientProvider value={client}>
      <App />
    </ClientProvider>,
    root,
  );
  if (model.me === 0) void visit(client);
  // Not before there is something to see.
  void import('../push/index.ts').then(({ followPush, keepShell }) => {
    void followPush(client.api, model);
    // Nobody's page is not kept.
    if (pageFact('account') !== undefined) void keepShell();
  });
}

/** Looks for news of what a visitor reads, as long as the page is there. */
async function visit({ clock, messages, route }: Client): Promise<void> {
  const visiting = new Visiting({
    clock,
    isVisible: () => document.visibilityState === 'visible',
    look: () => {
      const there = route.peek();
      return messages.refresh(messages.window(there.view === 'narrow' ? there.narrow : []));
    },
  });
  document.addEventListener('visibilitychange', () => visiting.wake());
  await visiting.run(new AbortController().signal);
}

const root = document.getElementById('app');
if (root) void start(root);
