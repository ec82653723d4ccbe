import { type Account } from './connection.ts';
import { type HeardEvent, Listener } from './listener.ts';
import { type Grounds, type Kind, type Person, RATES, REQUESTS, sentAt } from './mix.ts';
import { Pool } from './pool.ts';
import { lastUpdateOf } from './presence.ts';
import { MODERN } from './registration.ts';

/** Milliseconds between two rounds of sending what is due. */
const TICK_MS = 5;
/** Concurrent registrations while clients join. */
const COMING = 16;
const RETRY_MS = 1000;
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** The results of a measurement. */
export interface Seen {
  /** Milliseconds of each answered request that is not a poll. */
  readonly requests: number[];
  /** Milliseconds from sending a message until a parked poll delivered it to somebody. */
  readonly deliveries: number[];
  pings: number;
  polls: number;
  errors: number;
}

const nothing = (): Seen => ({ requests: [], deliveries: [], pings: 0, polls: 0, errors: 0 });

/** Clients that are all connected: each has a parked poll, and together they send people's requests at their rates. */
export class Crowd {
  readonly #port: number;
  readonly #pool: Pool;
  readonly #grounds: Grounds;
  readonly #people: Person[] = [];
  readonly #listeners: Listener[] = [];
  readonly #credit = new Map<Kind, number>();
  /** Index of the person who pings next; all take turns, evenly spread. */
  #nextPing = 0;
  #newestPresence = -1;
  #isOver = false;
  #seen = nothing();

  constructor(port: number, grounds: Grounds) {
    this.#port = port;
    this.#pool = new Pool(port);
    this.#grounds = grounds;
  }

  get size(): number {
    return this.#people.length;
  }

  /** Adds clients, with a queue for every event. They know the presences that earlier clients know. */
  async join(accounts: readonly Account[]): Promise<void> {
    const coming = accounts.map((account, offset): Person => {
      return { index: this.size + offset, account, last: this.#newestPresence, unread: undefined };
    });
    const waiting = [...coming];
    await Promise.all(
      Array.from({ length: COMING }, async () => {
        for (let person = waiting.shift(); person; person = waiting.shift()) await this.#follow(person);
      }),
    );
    this.#people.push(...coming);
  }

  /** Measures for so many seconds. */
  async seenIn(seconds: number): Promise<Seen> {
    this.#seen = nothing();
    let before = performance.now();
    for (const end = before + seconds * 1000; performance.now() < end; ) {
      await pause(TICK_MS);
      const now = performance.now();
      for (const [kind, rate] of RATES) this.#due(kind, (this.size * rate * (now - before)) / 1000);
      before = now;
    }
    return this.#seen;
  }

  leave(): void {
    this.#isOver = true;
    for (const listener of this.#listeners) listener.close();
    this.#pool.close();
  }

  /** Sends what is due whether earlier requests are answered or not, as people do. */
  #due(kind: Kind, more: number): void {
    let credit = (this.#credit.get(kind) ?? 0) + more;
    for (; credit >= 1; credit--) {
      const person = kind === 'ping' ? this.#people[this.#nextPing++ % this.size] : this.#anybody(kind);
      const bytes = person && REQUESTS[kind](person, this.#grounds);
      if (person && bytes) void this.#ask(kind, person, bytes);
    }
    this.#credit.set(kind, credit);
  }

  #anybody(kind: Kind): Person | undefined {
    const person = this.#people[Math.floor(Math.random() * this.size)];
    if (kind !== 'flags' || person?.unread !== undefined) return person;
    return this.#people.find(({ unread }) => unread !== undefined);
  }

  async #ask(kind: Kind, person: Person, bytes: Buffer): Promise<void> {
    const [seen, started] = [this.#seen, performance.now()];
    if (kind === 'flags') person.unread = undefined;
    try {
      const body = await this.#pool.send(bytes);
      seen.requests.push(performance.now() - started);
      if (kind !== 'ping') return;
      seen.pings++;
      person.last = lastUpdateOf(body);
      this.#newestPresence = Math.max(this.#newestPresence, person.last);
    } catch (error) {
      this.#failed(seen, kind, error);
    }
  }

  async #follow(person: Person): Promise<void> {
    const listener = await Listener.register(this.#port, person.account, { ...MODERN, fetch_event_types: [] });
    this.#listeners.push(listener);
    void this.#poll(person, listener);
  }

  async #poll(person: Person, listener: Listener): Promise<void> {
    while (!this.#isOver) {
      try {
        const events = await listener.next();
        this.#seen.polls++;
        for (const event of events) this.#heard(person, event);
      } catch (error) {
        this.#failed(this.#seen, 'poll', error);
        await pause(RETRY_MS);
      }
    }
  }

  #heard(person: Person, { message }: HeardEvent): void {
    if (!message) return;
    person.unread = message.id;
    this.#seen.deliveries.push(performance.now() - sentAt(message.content));
  }

  #failed(seen: Seen, kind: string, error: unknown): void {
    if (this.#isOver) return;
    if (seen.errors++ === 0) console.log(`B8   ${kind}: ${String(error).slice(0, 200)}`);
  }
}
