import type { AnyEvent } from '../model/index.ts';

/** What tabs of one browser tell each other. */
export type TabMessage =
  /** Events that came after `after`; they are kept already. */
  | { readonly what: 'events'; readonly after: number; readonly events: readonly AnyEvent[] }
  /** The state was registered anew, and is kept. */
  | { readonly what: 'registered' }
  /** A tab has come, and wants to know how we are connected. */
  | { readonly what: 'hello' }
  | { readonly what: 'outbox' }
  /** How the tab that polls is connected. */
  | { readonly what: 'connection'; readonly connection: object }
  /** Somebody wants the tab that polls to look at once. */
  | { readonly what: 'wake' }
  | { readonly what: 'signedOut'; readonly reason: string };

/** The tabs of an account in this browser, of which one polls. */
export interface Tabs {
  tell(message: TabMessage): void;
  listen(listener: (message: TabMessage) => void): void;
  /** Resolves when this tab is the one that polls; it stays so until the page is gone. */
  lead(): Promise<void>;
}

export function openTabs(account: string): Tabs {
  const name = `roost-${account}`;
  const channel = new BroadcastChannel(name);
  return {
    tell: (message) => channel.postMessage(message),
    listen: (listener) => {
      channel.onmessage = ({ data }: MessageEvent<TabMessage>) => listener(data);
    },
    lead: () =>
      new Promise((resolve) => {
        // Held for as long as the page lives: the browser gives it to the next tab when this one is gone.
        void navigator.locks.request(name, () => {
          resolve();
          return new Promise(() => undefined);
        });
      }),
  };
}

/** A tab that knows of no others. */
export const aloneTab: Tabs = { tell: () => undefined, listen: () => undefined, lead: () => Promise.resolve() };
