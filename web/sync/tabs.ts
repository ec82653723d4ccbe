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
  /** Resolves when this tab is known to be the one that logs out, which it is until its page is closed. */
  leave(): Promise<void>;
  /** Resolves when no tab logs out, or the one that did is closed: the session has ended. */
  left(): Promise<void>;
}

export function openTabs(account: string): Tabs {
  const name = `roost-${account}`;
  const leaving = `${name}-leaving`;
  const channel = new BroadcastChannel(name);
  return {
    tell: (message) => channel.postMessage(message),
    listen: (listener) => {
      channel.onmessage = ({ data }: MessageEvent<TabMessage>) => listener(data);
    },
    lead: () => hold(name),
    leave: () => hold(leaving),
    left: () => navigator.locks.request(leaving, () => undefined),
  };
}

/** Resolves when this page has a lock. It is held until the page is closed; the browser then gives it to another tab. */
function hold(name: string): Promise<void> {
  return new Promise((resolve) => {
    void navigator.locks.request(name, () => {
      resolve();
      return new Promise(() => undefined);
    });
  });
}

const nothing = () => undefined;
const atOnce = () => Promise.resolve();

/** Stands in where tabs cannot talk to each other. */
export const aloneTab: Tabs = { tell: nothing, listen: nothing, lead: atOnce, leave: atOnce, left: atOnce };
