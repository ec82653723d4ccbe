import type { AnyEvent } from '../model/index.ts';

/** Messages between the tabs of one browser. */
export type TabMessage =
  /** Events that follow position `after`; they are already stored. */
  | { readonly what: 'events'; readonly after: number; readonly events: readonly AnyEvent[] }
  /** The polling tab registered again and stored the state. */
  | { readonly what: 'registered' }
  /** A new tab asks for the state of the connection. */
  | { readonly what: 'hello' }
  | { readonly what: 'outbox' }
  /** The state of the polling tab's connection. */
  | { readonly what: 'connection'; readonly connection: object }
  /** Asks the polling tab to poll at once. */
  | { readonly what: 'wake' }
  | { readonly what: 'signedOut'; readonly reason: string };

/** The tabs of an account in this browser, one of which polls. */
export interface Tabs {
  tell(message: TabMessage): void;
  listen(listener: (message: TabMessage) => void): void;
  /** Resolves when this tab becomes the polling tab, which it stays until it is closed. */
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
        // The lock is held until this page is closed; the browser then gives it to another tab.
        void navigator.locks.request(name, () => {
          resolve();
          return new Promise(() => undefined);
        });
      }),
  };
}

/** Stands in where tabs cannot talk to each other. */
export const aloneTab: Tabs = { tell: () => undefined, listen: () => undefined, lead: () => Promise.resolve() };
