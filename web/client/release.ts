import { signal } from '@preact/signals';
import type { Clock } from '../api/index.ts';
import type { Sync } from '../sync/index.ts';
import { pageFact } from './page.ts';

/** Milliseconds after which the release is checked when the page becomes visible. */
const ASK_EVERY_MS = 30 * 60_000;
/** Milliseconds after which the request for the page counts as lost. */
const TIMEOUT_MS = 10_000;

interface ReleaseOptions {
  readonly clock: Clock;
  /** Fetches the server's page; undefined if that fails. */
  readonly page: () => Promise<string | undefined>;
  /** The release of this page. */
  readonly own: string | undefined;
}

/** Knows whether the server has another release of the client than this one. */
export class Release {
  readonly #options: ReleaseOptions;
  readonly isNewer = signal(false);
  #askedAt = 0;

  constructor(options: ReleaseOptions) {
    this.#options = options;
    this.#askedAt = options.clock.now();
  }

  /** Checks when the page becomes visible, unless it has checked recently. */
  look(): void {
    if (this.#options.clock.now() - this.#askedAt > ASK_EVERY_MS) void this.ask();
  }

  /** Checks at once: a server that was unreachable may have come back with another release. */
  async ask(): Promise<void> {
    const { clock, page, own } = this.#options;
    this.#askedAt = clock.now();
    const found = /<meta name="release" content="([\w.-]{1,100})">/.exec((await page()) ?? '')?.[1];
    if (found !== undefined && own !== undefined && found !== own) this.isNewer.value = true;
  }
}

/** Checks whenever the connection is back. */
export function openRelease(clock: Clock, sync: Pick<Sync, 'connection'>): Release {
  const release = new Release({ clock, page: fetchPage, own: pageFact('release') });
  let wasAway = false;
  sync.connection.subscribe(({ is }) => {
    if (is === 'live' && wasAway) void release.ask();
    wasAway = is === 'away' || (wasAway && is !== 'live');
  });
  return release;
}

async function fetchPage(): Promise<string | undefined> {
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const answer = await fetch('/', { credentials: 'same-origin', cache: 'no-store', signal });
    return answer.ok ? await answer.text() : undefined;
  } catch {
    return undefined;
  }
}
