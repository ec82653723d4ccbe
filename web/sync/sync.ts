import { batch, type Signal, signal } from '@preact/signals';
import { type Api, CallFailure, type Clock } from '../api/index.ts';
import type { Messages } from '../messages/index.ts';
import type { AnyEvent, Model, RegisterState } from '../model/index.ts';
import { changesRoleOf, inputOf, readableIn, stateIn } from './answers.ts';
import { type Connection, SharedConnection } from './connection.ts';
import { first, type Input, next, type Phase } from './machine.ts';
import { KeptState } from './kept-state.ts';
import type { Outbox } from './outbox.ts';
import { PollRest } from './poll-rest.ts';
import { REGISTER } from './register.ts';
import type { AccountStorage } from './storage.ts';
import type { Tabs, TabMessage } from './tabs.ts';
import { runInTasks } from './tasks.ts';

export interface SyncOptions {
  readonly api: Api;
  readonly clock: Clock;
  readonly storage: AccountStorage;
  readonly tabs: Tabs;
  readonly model: Model;
  readonly messages: Messages;
  readonly outbox: Outbox;
  /** Called for an event that could not be applied and was skipped. */
  readonly onOddity: (what: string, error: unknown) => void;
  /** Called in the polling tab with newly fetched events. */
  readonly onNews?: (events: readonly AnyEvent[]) => void;
  /** Called in each tab after an event has been applied. */
  readonly onApplied?: (event: AnyEvent) => void;
}

/** Longer than a poll can take, because the server sends a heartbeat earlier. */
const POLL_TIMEOUT_MS = 100_000;
/** Milliseconds that a new tab waits for the state of the polling tab. */
const ALONE_AFTER_MS = 5000;
/** Shortest time in milliseconds between two registrations because of events that cannot be read. */
const UNREADABLE_REST_MS = 60_000;
/** Reason of a session that the person ended by logging out. */
const LOGGED_OUT = 'LOGGED_OUT';

/**
 * Keeps model and messages up to date with the log. One tab polls and passes events on to the others; any of them can
 * take over. Stored data lets a later visit paint at once and continue its queue.
 */
export class Sync {
  /** Whether there is a state to show. */
  readonly isLoaded = signal(false);
  /** Whether this tab polls for all tabs of the browser. */
  readonly isLeading = signal(false);
  readonly #options: SyncOptions;
  readonly #rest: PollRest;
  readonly #kept: KeptState;
  readonly #connection: SharedConnection;
  #phase: Phase | undefined;
  /** When an event that could not be read last led to a registration, in milliseconds since 1970. */
  #unreadableAt = Number.NEGATIVE_INFINITY;
  #wake = new AbortController();
  /** Settles when the state that is being taken over is complete. */
  #taking: Promise<void> = Promise.resolve();
  /** Whether polling has ended for good because the session is over. */
  #isOver = false;

  constructor(options: SyncOptions) {
    this.#options = options;
    this.#rest = new PollRest(options.clock);
    this.#kept = new KeptState(options.storage);
    this.#connection = new SharedConnection(options.tabs, options.clock);
  }

  /** State of the connection, the same in all tabs. */
  get connection(): Signal<Connection> {
    return this.#connection.shown;
  }

  /** Loads the stored state, then joins the other tabs. Resolves when this tab has a state. */
  async start(): Promise<void> {
    const { tabs, outbox } = this.#options;
    tabs.listen((message) => void this.#hear(message));
    const [queueId] = await Promise.all([this.#loadStored(), outbox.load().catch(() => undefined)]);
    void tabs.lead().then(() => this.#lead());
    tabs.tell({ what: 'hello' });
    if (queueId !== undefined) return;
    await Promise.race([this.#loaded(), this.#options.clock.sleep(ALONE_AFTER_MS)]);
    // The leading tab cannot share its state.
    if (!this.isLoaded.peek()) void this.poll();
    await this.#loaded();
  }

  /** Makes this tab poll, store and send for all tabs, for the rest of its life. */
  async #lead(): Promise<void> {
    // The previous leading tab may have been closed before it announced what it was sending.
    await this.#options.outbox.load().catch(() => undefined);
    this.isLeading.value = true;
    if (!this.#phase) return this.poll();
    // What this tab received from a queue of its own is not stored.
    this.#kept.distrust();
    this.wake();
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

  /** Polls at once: the network is back, the page became visible, or the person asked for it. */
  wake(): void {
    if (this.#phase === undefined) return this.#options.tabs.tell({ what: 'wake' });
    if (this.#phase.name === 'polling' || this.#phase.name === 'waiting') this.#wake.abort();
  }

  async #loadStored(): Promise<string | undefined> {
    const { model, messages, clock } = this.#options;
    const stored = await this.#kept.load(model.position.peek());
    if (!stored?.content) return stored?.queueId;
    const { state, events } = stored.content;
    try {
      await this.#takeOver(state, () => {
        for (const event of events) this.#attempt(() => model.apply(event, clock.now()), event.type);
        messages.markStale();
      });
    } catch (error) {
      // Another release may have stored what this one cannot read.
      this.#options.onOddity('the stored state', error);
      return undefined;
    }
    this.#kept.isShown(stored.queueId);
    return stored.queueId;
  }

  /**
   * Takes over a whole state, then runs `after`, which applies later events. A view that is already drawn changes at
   * once.
   */
  async #takeOver(state: RegisterState, after: () => void): Promise<void> {
    const { model, clock } = this.#options;
    if (this.isLoaded.peek())
      return batch(() => {
        model.load(state);
        after();
      });
    this.#taking = runInTasks(model.parts(state), clock);
    await this.#taking;
    batch(after);
    await clock.sleep(0);
    this.isLoaded.value = true;
  }

  async #hear(message: TabMessage): Promise<void> {
    switch (message.what) {
      case 'events':
        // This tab has a queue of its own, whose events name the messages that this tab sent.
        if (this.#phase) return;
        await this.#taking;
        if (message.after > this.#options.model.position.peek()) await this.#loadStored();
        // The events between could not be stored.
        if (message.after > this.#options.model.position.peek()) return this.poll();
        return this.#takeEvents(message.events);
      case 'registered':
        await this.#taking;
        if (!this.#phase) await this.#loadStored();
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
        if (this.#phase) this.#connection.repeat();
        return;
      case 'signedOut':
        this.#leave();
        // Until the session has ended, the log-in page would lead back.
        await this.#options.tabs.left();
        this.connection.value = { is: 'signedOut', reason: message.reason };
    }
  }

  /** Ends the session of all tabs at log-out and deletes stored server data. Unsent messages stay. */
  async end(): Promise<void> {
    const { tabs } = this.#options;
    await tabs.leave();
    tabs.tell({ what: 'signedOut', reason: LOGGED_OUT });
    this.#leave();
    await this.#kept.forget();
  }

  /** Stops polling for good. */
  #leave(): void {
    this.#isOver = true;
    this.#options.outbox.pause();
    this.#wake.abort();
  }

  /** Gives this tab a queue for the rest of its life: it leads, or cannot get from the leading tab what it needs. */
  async poll(): Promise<void> {
    if (this.#phase) return;
    this.#phase = first(undefined);
    // The previous polling tab may have stored more events than this tab has received. Its queue serves one tab only.
    this.#phase = first(this.isLeading.peek() ? await this.#loadStored() : undefined);
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
      // The end of the session aborts the wait, too; it must not count as a wake-up, or the tab would poll forever.
      const isOver = error instanceof CallFailure && error.kind === 'signedOut';
      if (woken.aborted && !isOver) return { what: 'woken' };
      // An error caused by an invalid state must not end the polling.
      if (!(error instanceof CallFailure)) this.#options.onOddity(phase.name, error);
      return inputOf(error, phase);
    }
  }

  async #register(): Promise<Input> {
    const { api, messages, tabs, outbox } = this.#options;
    outbox.pause();
    const state = stateIn(await api.callAny('POST', '/register', REGISTER));
    await this.#takeOver(state, () => messages.markStale());
    // The view is painted first; the state must be stored before other tabs are asked to load it.
    await this.#options.clock.sleep(0);
    this.#kept.isShown(state.queue_id);
    if (this.isLeading.peek()) {
      await this.#kept.replace(state, state.queue_id);
      tabs.tell({ what: 'registered' });
    }
    return { what: 'registered', state };
  }

  async #poll(phase: Extract<Phase, { readonly name: 'polling' }>, woken: AbortSignal): Promise<Input> {
    const { api, model } = this.#options;
    const last_event_id = model.position.peek();
    await this.#rest.wait(woken);
    const overdue = this.#options.outbox.overdue();
    const answer = await api.callAny(
      'GET',
      '/events',
      { queue_id: phase.queueId, last_event_id, dont_block: phase.isCatchingUp },
      { signal: woken, timeoutMs: POLL_TIMEOUT_MS },
    );
    const { events, isWhole } = readableIn(answer);
    await this.#shareEvents(last_event_id, events);
    if (!isWhole) return this.#missed(last_event_id);
    if (events.some((event) => changesRoleOf(model.me, event))) return { what: 'queueGone' };
    if (phase.isCatchingUp) void this.#options.outbox.ready(phase.queueId, overdue);
    // A wake-up that came during the request came too late for its answer, so the next poll follows at once.
    return woken.aborted ? { what: 'woken' } : { what: 'events', events };
  }

  /**
   * Continues after events that cannot be read: registers again, because a new state has what they changed. If that
   * happens again and again, such events are skipped where a later event can be acknowledged; otherwise the next try
   * waits.
   */
  #missed(after: number): Input {
    const { clock, model, onOddity } = this.#options;
    onOddity('an event', new TypeError('It has no ID'));
    const rest = this.#unreadableAt + UNREADABLE_REST_MS - clock.now();
    // A larger value means that the clock was set back.
    if (rest > 0 && rest <= UNREADABLE_REST_MS)
      return model.position.peek() > after ? { what: 'events', events: [] } : { what: 'failed' };
    this.#unreadableAt = clock.now();
    return { what: 'queueGone' };
  }

  async #shareEvents(after: number, events: readonly AnyEvent[]): Promise<void> {
    const { tabs, model } = this.#options;
    if (events.length === 0) return;
    // The view is updated first; events must be stored before other tabs get them.
    this.#takeEvents(events);
    if (!this.isLeading.peek()) return;
    this.#attempt(() => this.#options.onNews?.(events), 'message');
    await this.#kept.add(events, () => model.toWire(), this.#queueId());
    tabs.tell({ what: 'events', after, events });
  }

  #takeEvents(events: readonly AnyEvent[]): void {
    const { model, messages, outbox, clock } = this.#options;
    batch(() => {
      for (const event of events) {
        if (event.id <= model.position.peek()) continue;
        // An event that cannot be applied must not block the others.
        for (const take of [
          () => model.apply(event, clock.now()),
          () => messages.apply(event),
          () => outbox.apply(event),
          () => this.#options.onApplied?.(event),
        ])
          this.#attempt(take, event.type);
        model.position.value = event.id;
      }
    });
  }

  #attempt(take: () => void, type: string): void {
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
    if (phase.name === 'waiting') return this.#connection.away(phase.until);
    if (phase.name === 'signedOut') {
      this.#options.tabs.tell({ what: 'signedOut', reason: phase.reason });
      // The next person who logs in at this browser may be somebody else.
      void this.#kept.forget().then(() => (this.connection.value = { is: 'signedOut', reason: phase.reason }));
      return;
    }
    if (phase.name === 'reading') return this.#connection.reading();
    if (input.what === 'events' || input.what === 'registered') this.#connection.live();
  }
}
