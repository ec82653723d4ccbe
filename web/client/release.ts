import { signal } from '@preact/signals';
import type { Clock } from '../api/index.ts';
import type { Sync } from '../sync/index.ts';
import { pageFact } from './page.ts';

/** Milliseconds after which it is asked again without a reason. */
const ASK_EVERY_MS = 30 * 60_000;
/** Milliseconds until the page counts as lost. */
const TIMEOUT_MS = 10_000;

interface ReleaseOptions {
  readonly clock: Clock;
  /** The server's page, as it is now; undefined when there is none to be had. */
  readonly page: () => Promise<string | undefined>;
  /** What this page was built as. */
  readonly own: string | undefined;
}

/** Whether the server serves another client than the one that runs here. */
export class Release {
  readonly #options: ReleaseOptions;
  readonly isNewer = signal(false);
  #askedAt = 0;

  constructor(options: ReleaseOptions) {
    this.#options = options;
    this.#askedAt = options.clock.now();
  }

  /** The page is looked at again: asks, unless that was a while ago. */
  look(): void {
    if (this.#options.clock.now() - this.#askedAt > ASK_EVERY_MS) void this.ask();
  }

  /** The server was away: it may have come back as another. */
  async ask(): Promise<void> {
    const { clock, page, own } = this.#options;
    this.#askedAt = clock.now();
    const found = /<meta name="release" content="([\w.-]{1,100})">/.exec((await page()) ?? '')?.[1];
    if (found !== undefined && own !== undefined && found !== own) this.isNewer.value = true;
  }
}

/** Asks whenever the connection is there again. */
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
