import { signal } from '@preact/signals';
import type { Clock } from '../api/index.ts';
import type { Tabs } from './tabs.ts';

/** State of this browser's connection. Times are in milliseconds since 1970. */
export type Connection =
  | { readonly is: 'starting' | 'live' | 'reading' }
  | { readonly is: 'away'; readonly since: number; readonly nextTryAt: number }
  | { readonly is: 'signedOut'; readonly reason: string };

/** Shows the connection in the tab that polls, and in the tabs that it polls for. */
export class SharedConnection {
  readonly shown = signal<Connection>({ is: 'starting' });
  readonly #tabs: Tabs;
  readonly #clock: Clock;
  #awaySince: number | undefined;

  constructor(tabs: Tabs, clock: Clock) {
    this.#tabs = tabs;
    this.#clock = clock;
  }

  /** The server does not answer until the next try. */
  away(nextTryAt: number): void {
    this.#awaySince ??= this.#clock.now();
    this.#show({ is: 'away', since: this.#awaySince, nextTryAt });
  }

  /** Nobody is signed in, who could have a queue. */
  reading(): void {
    this.#show({ is: 'reading' });
  }

  live(): void {
    this.#awaySince = undefined;
    if (this.shown.peek().is !== 'live') this.#show({ is: 'live' });
  }

  /** Tells a tab that has just been opened. */
  repeat(): void {
    this.#tabs.tell({ what: 'connection', connection: this.shown.peek() });
  }

  #show(connection: Connection): void {
    this.shown.value = connection;
    this.repeat();
  }
}
