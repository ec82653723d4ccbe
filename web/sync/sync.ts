import { batch, signal } from '@preact/signals';
import { type Api, CallFailure, type Clock } from '../api/index.ts';
import type { Messages } from '../messages/index.ts';
import type { AnyEvent, Model, RegisterState } from '../model/index.ts';
import type { Kept, KeptState } from './kept.ts';
import { first, type Input, next, type Phase } from './machine.ts';
import type { Outbox } from './outbox.ts';
import { REGISTER } from './register.ts';
import type { Tabs, TabMessage } from './tabs.ts';

/** How this browser is connected. Times in milliseconds since 1970. */
export type Connection =
  | { readonly is: 'starting' | 'live' | 'reading' }
  | { readonly is: 'away'; readonly since: number; readonly nextTryAt: number }
  | { readonly is: 'signedOut'; readonly reason: string };

export interface SyncOptions {
  readonly api: Api;
  readonly clock: Clock;
  readonly kept: Kept;
  readonly tabs: Tabs;
  readonly model: Model;
  readonly messages: Messages;
  readonly outbox: Outbox;
  /** Something came that was not understood; it was left out. */
  readonly onOddity: (what: string, error: unknown) => void;
  /** Events that came just now, to the tab that polls. */
  readonly onNews?: (events: readonly AnyEvent[]) => void;
  /** Called in each tab, after an event has been taken over. */
  readonly onApplied?: (event: AnyEvent) => void;
}

/** Longer than the server's heartbeat lets a poll wait. */
const POLL_TIMEOUT_MS = 100_000;
/** Polls begin at least so many milliseconds apart; where so many of them in a row found events waiting, farther. */
const [REST_MS, BUSY_POLLS, BUSY_REST_MS] = [50, 8, 150];
/** Events that are kept beside the state before both become one. */
const MAX_EVENTS = 2000;
/** How long a tab waits for what another one has registered. */
const ALONE_AFTER_MS = 5000;
/** Why a session ended that the person ended. */
const LOGGED_OUT = 'LOGGED_OUT';

/**
 * Keeps model and messages at the end of the log. One tab polls and tells the others; each of them may become that tab. What is
 * kept lets a later visit paint at once and go on with its queue.
 */
export class Sync {
  readonly connection = signal<Connection>({ is: 'starting' });
  /** Whether there is a state to show. */
  readonly isLoaded = signal(false);
  /** Whether this tab polls for all tabs of the browser. */
  readonly isLeading = signal(false);
  readonly #options: SyncOptions;
  #phase: Phase | undefined;
  #awaySince: number | undefined;
  #keptEvents = 0;
  /** The queue whose state was loaded from what is kept. */
  #keptQueueId: string | undefined;
  /** In milliseconds since 1970. */
  #nextPollAt = 0;
  /** Polls in a row that were answered before the next one may begin. */
  #busyPolls = 0;
  #wake = new AbortController();
  /** The person is logged out. */
  #isOver = false;

  constructor(options: SyncOptions) {
    this.#options = options;
  }

  /** Paints what is kept, then joins the other tabs. Resolves when this tab knows something. */
  async start(): Promise<void> {
    const { tabs, outbox } = this.#options;
    tabs.listen((message) => void this.#hear(message));
    const [kept] = await Promise.all([this.#loadKept(), outbox.load().catch(() => undefined)]);
    void tabs.lead().then(() => this.#lead());
    tabs.tell({ what: 'hello' });
    if (kept !== undefined) return;
    await Promise.race([this.#loaded(), this.#options.clock.sleep(ALONE_AFTER_MS)]);
    // The tab that polls cannot show us what it has: this one gets a queue of its own.
    if (!this.isLoaded.peek()) void this.#lead();
    await this.#loaded();
  }

  #loaded(): Promise<void> {
    return new Promise((resolve) => {
      const stop = this.isLoaded.subscribe((isLoaded) => {
        if (!isLoaded) return;
        resolve();
        queueMicrotask(() => stop());
      });
    });
  }

  /** Looks at once: the network is back, the page is visible again, or somebody pressed the button. */
  wake(): void {
    if (this.#phase === undefined) return this.#options.tabs.tell({ what: 'wake' });
    if (this.#phase.name === 'polling' || this.#phase.name === 'waiting') this.#wake.abort();
  }

  async #loadKept(): Promise<string | undefined> {
    const { kept, model, messages, clock } = this.#options;
    const found = await kept.load().catch(() => undefined);
    if (!found || found.queueId === null) return undefined;
    this.#keptEvents = found.events.length;
    // To load what is known already would only make every message doubtful.
    if (found.queueId === this.#keptQueueId && newestOf(found) <= model.position.peek()) return found.queueId;
    batch(() => {
      model.load(found.state);
      for (const event of found.events) model.apply(event, clock.now());
      messages.doubt();
      this.isLoaded.value = true;
    });
    this.#keptQueueId = found.queueId;
    return found.queueId;
  }

  async #hear(message: TabMessage): Promise<void> {
    switch (message.what) {
      case 'events':
        if (message.after > this.#options.model.position.peek()) await this.#loadKept();
        return this.#takeEvents(message.events);
      case 'registered':
        await this.#loadKept();
        return;
      case 'outbox':
        await this.#options.outbox.load();
        if (this.#phase?.name === 'polling') void this.#options.outbox.flush();
        return;
      case 'connection':
        this.connection.value = message.connection as Connection;
        return;
      case 'wake':
        if (this.#phase) this.wake();
        return;
      case 'hello':
        if (this.#phase) this.#options.tabs.tell({ what: 'connection', connection: this.connection.peek() });
        return;
      case 'signedOut':
        this.#leave();
        this.connection.value = { is: 'signedOut', reason: message.reason };
    }
  }

  /** The person logs out: no tab asks for anything more, and what is kept of the server's is gone. Unsent messages stay. */
  async end(): Promise<void> {
    const { tabs, kept } = this.#options;
    tabs.tell({ what: 'signedOut', reason: LOGGED_OUT });
    this.#leave();
    await kept.forget().catch(() => undefined);
  }

  /** Stops polling for good. */
  #leave(): void {
    this.#isOver = true;
    this.#options.outbox.pause();
    this.#wake.abort();
  }

  /** This tab polls from now on, as long as it lives. */
  async #lead(): Promise<void> {
    if (this.#phase) return;
    this.isLeading.value = true;
    this.#phase = first(undefined);
    // The tab before us may have come further than we have heard.
    this.#phase = first(await this.#loadKept());
    while (this.#phase.name !== 'signedOut' && this.#phase.name !== 'reading' && !this.#isOver) {
      const input: Input = await this.#run(this.#phase);
      if (this.#isOver) return;
      const { clock } = this.#options;
      this.#phase = next(this.#phase, input, { now: clock.now(), chance: clock.random() });
      this.#show(this.#phase, input);
    }
  }

  async #run(phase: Phase): Promise<Input> {
    this.#wake = new AbortController();
    const { signal: woken } = this.#wake;
    try {
      switch (phase.name) {
        case 'registering':
          return await this.#register();
        case 'polling':
          return await this.#poll(phase, woken);
        case 'waiting':
          await this.#options.clock.sleep(phase.until - this.#options.clock.now(), woken);
          return { what: 'woken' };
        default:
          return { what: 'failed' };
      }
    } catch (error) {
      // Being told that the session is over wakes as well: that must not hide it, or it is asked for ever.
      const isOver = error instanceof CallFailure && error.kind === 'signedOut';
      if (woken.aborted && !isOver) return { what: 'woken' };
      return inputOf(error, phase);
    }
  }

  async #register(): Promise<Input> {
    const { api, kept, model, messages, tabs, outbox } = this.#options;
    outbox.pause();
    const answer = await api.callAny('POST', '/register', REGISTER);
    // The declarations of the slices promise this shape.
    const state = answer as unknown as RegisterState;
    batch(() => {
      model.load(state);
      messages.doubt();
      this.isLoaded.value = true;
    });
    // What is shown comes first; what is kept must be there before others are told of it.
    await this.#options.clock.sleep(0);
    await kept.saveState(state, state.queue_id).catch(() => undefined);
    this.#keptEvents = 0;
    this.#keptQueueId = state.queue_id ?? undefined;
    tabs.tell({ what: 'registered' });
    return { what: 'registered', state };
  }

  async #poll(phase: Extract<Phase, { readonly name: 'polling' }>, woken: AbortSignal): Promise<Input> {
    const { api, model } = this.#options;
    const last_event_id = model.position.peek();
    await this.#rest(woken);
    const answer = await api.callAny(
      'GET',
      '/events',
      { queue_id: phase.queueId, last_event_id, dont_block: phase.isCatchingUp },
      { signal: woken, timeoutMs: POLL_TIMEOUT_MS },
    );
    const events = (Array.isArray(answer['events']) ? answer['events'] : []) as readonly AnyEvent[];
    await this.#tellEvents(last_event_id, events);
    if (phase.isCatchingUp) void this.#options.outbox.ready(phase.queueId);
    return { what: 'events', events };
  }

  /**
   * While much happens, what comes within a moment comes by one poll, and is drawn once. When that goes on, nobody can follow each
   * message any more, and the moment is longer.
   */
  async #rest(woken: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    const rest = this.#nextPollAt - clock.now();
    // A clock that was set back must not make us wait.
    const isBusy = rest > 0 && rest <= BUSY_REST_MS;
    this.#busyPolls = isBusy ? this.#busyPolls + 1 : 0;
    if (isBusy) await clock.sleep(rest, woken);
    this.#nextPollAt = clock.now() + (this.#busyPolls >= BUSY_POLLS ? BUSY_REST_MS : REST_MS);
  }

  async #tellEvents(after: number, events: readonly AnyEvent[]): Promise<void> {
    const { kept, tabs, model } = this.#options;
    if (events.length === 0) return;
    // What the person looks at comes first; what is kept must be there before others are told of it.
    this.#takeEvents(events);
    this.#options.onNews?.(events);
    this.#keptEvents += events.length;
    const isMuch = this.#keptEvents > MAX_EVENTS;
    const saving = isMuch ? kept.saveState(model.toWire(), this.#queueId()) : kept.append(events);
    if (isMuch) this.#keptEvents = 0;
    await saving.catch(() => undefined);
    tabs.tell({ what: 'events', after, events });
  }

  #takeEvents(events: readonly AnyEvent[]): void {
    const { model, messages, outbox, clock } = this.#options;
    batch(() => {
      for (const event of events) {
        if (event.id <= model.position.peek()) continue;
        // One event that is not understood must not keep the others from being seen.
        for (const take of [
          () => model.apply(event, clock.now()),
          () => messages.apply(event),
          () => outbox.apply(event),
          () => this.#options.onApplied?.(event),
        ])
          this.#attempt(take, event);
        model.position.value = event.id;
      }
    });
  }

  #attempt(take: () => void, { type }: AnyEvent): void {
    try {
      take();
    } catch (error) {
      this.#options.onOddity(`an event of type ${type}`, error);
    }
  }

  #queueId(): string | null {
    return this.#phase?.name === 'polling' ? this.#phase.queueId : null;
  }

  #show(phase: Phase, input: Input): void {
    if (phase.name !== 'polling' && phase.name !== 'registering') this.#options.outbox.pause();
    if (phase.name === 'waiting') {
      this.#awaySince ??= this.#options.clock.now();
      return this.#tell({ is: 'away', since: this.#awaySince, nextTryAt: phase.until });
    }
    if (phase.name === 'signedOut') {
      this.#options.tabs.tell({ what: 'signedOut', reason: phase.reason });
      // The next person who logs in at this browser may be somebody else.
      void this.#options.kept
        .forget()
        .catch(() => undefined)
        .then(() => (this.connection.value = { is: 'signedOut', reason: phase.reason }));
      return;
    }
    if (phase.name === 'reading') return this.#tell({ is: 'reading' });
    if (input.what !== 'events' && input.what !== 'registered') return;
    this.#awaySince = undefined;
    if (this.connection.peek().is !== 'live') this.#tell({ is: 'live' });
  }

  #tell(connection: Connection): void {
    this.connection.value = connection;
    this.#options.tabs.tell({ what: 'connection', connection });
  }
}

/** The newest event of what is kept. */
function newestOf({ state, events }: KeptState): number {
  return events.at(-1)?.id ?? state.last_event_id;
}

function inputOf(error: unknown, phase: Phase): Input {
  if (!(error instanceof CallFailure)) throw error;
  if (error.kind === 'signedOut') return { what: 'signedOut', reason: error.code };
  // A queue that refuses what we ask of it is of no use any more.
  const isRefused = error.kind === 'refused' && error.code !== 'RATE_LIMIT_HIT';
  return { what: isRefused && phase.name === 'polling' ? 'queueGone' : 'failed' };
}
