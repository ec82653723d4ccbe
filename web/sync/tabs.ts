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
  /** Resolves when this tab, or another, is known to be the one that logs out, which it is until its page is closed. */
  leave(): Promise<void>;
  /** Resolves when no tab logs out, or the one that did is closed: the session has ended. Waits ten seconds at most. */
  left(): Promise<void>;
}

const nothing = () => undefined;

/** Milliseconds that a log-out may take before other tabs stop waiting for its end. */
const LEAVING_MS = 10_000;

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
    leave: () => hold(leaving, { ifAvailable: true }),
    left: () => navigator.locks.request(leaving, { signal: AbortSignal.timeout(LEAVING_MS) }, nothing).catch(nothing),
  };
}

/**
 * Resolves when this page has a lock, or with `ifAvailable` when another page has it. It is held until the page is
 * closed; the browser then gives it to another tab.
 */
function hold(name: string, options: LockOptions = {}): Promise<void> {
  return new Promise((resolve) => {
    void navigator.locks.request(name, options, () => {
      resolve();
      return new Promise(() => undefined);
    });
  });
}

const atOnce = () => Promise.resolve();

/** Stands in where tabs cannot talk to each other. */
export const aloneTab: Tabs = { tell: nothing, listen: nothing, lead: atOnce, leave: atOnce, left: atOnce };
