import type { Clock } from '#kernel/clock';
import type { UserId } from '#kernel/ids';

/** Most simultaneous deliveries to one host, and for one person, while the host has not answered recently. */
const MAX_PER_HOST = 10;
const MAX_PER_PERSON = 5;
/** Milliseconds without an answer after which a host counts as silent, and for which a delivery waits for a slot. */
const SILENCE_MS = 1_000;
/** Most hosts that are remembered as answering; people choose them, so there may be any number. */
const MAX_PROVEN = 1_000;

/** Deliveries under way to a host, or for a person. */
interface DeliveryQueue {
  readonly most: number;
  underWay: number;
  /** Whether a delivery under way has had no answer for long. */
  isSilent: boolean;
  /** Callbacks of deliveries that wait for a slot. */
  readonly waiting: Set<() => void>;
}

/** Releases a slot; the argument tells whether the host answered, and is absent if it was not called. */
export type GiveBack = (hasAnswered?: boolean) => void;

/**
 * Limits this process's simultaneous deliveries to push services. A host that answers has no limit. A host that accepts
 * requests and never answers would make each wait for seconds, and block other people's jobs; so only a few wait, and
 * the rest is tried later.
 */
export class DeliverySlots {
  readonly #clock: Clock;
  readonly #proven = new Set<string>();
  readonly #queues = new Map<string, DeliveryQueue>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Takes a slot, at once or within a second; undefined if there is none. */
  async take(host: string, person: UserId): Promise<GiveBack | undefined> {
    if (this.#proven.has(host)) return this.#begin(host, []);
    const queues = [this.#queue(`host ${host}`, MAX_PER_HOST), this.#queue(`person ${person}`, MAX_PER_PERSON)];
    let isLate = false;
    const isFull = () => !this.#proven.has(host) && queues.some(({ underWay, most }) => underWay >= most);
    const isHopeless = () => isLate || queues.some(({ isSilent }) => isSilent);
    return new Promise((resolve) => {
      const look = () => {
        if (isFull() && !isHopeless()) return;
        patience.cancel();
        for (const { waiting } of queues) waiting.delete(look);
        // Taken synchronously, so that other waiting deliveries see it.
        resolve(isFull() ? undefined : this.#begin(host, this.#proven.has(host) ? [] : queues));
      };
      const patience = this.#clock.after(SILENCE_MS, () => {
        isLate = true;
        look();
      });
      for (const { waiting } of queues) waiting.add(look);
      look();
    });
  }

  #queue(key: string, most: number): DeliveryQueue {
    const queue = this.#queues.get(key) ?? { most, underWay: 0, isSilent: false, waiting: new Set() };
    this.#queues.set(key, queue);
    return queue;
  }

  #begin(host: string, queues: readonly DeliveryQueue[]): GiveBack {
    for (const queue of queues) queue.underWay++;
    const silence = this.#clock.after(SILENCE_MS, () => {
      this.#proven.delete(host);
      for (const queue of queues) queue.isSilent = true;
      wake(queues);
    });
    return (hasAnswered) => {
      silence.cancel();
      if (hasAnswered === true) this.#prove(host);
      else if (hasAnswered === false) this.#proven.delete(host);
      for (const queue of queues) queue.underWay--;
      for (const queue of queues) queue.isSilent &&= hasAnswered !== true && queue.underWay > 0;
      wake(queues);
      for (const [key, { underWay, waiting }] of this.#queues)
        if (underWay === 0 && waiting.size === 0) this.#queues.delete(key);
    };
  }

  #prove(host: string): void {
    if (this.#proven.size >= MAX_PROVEN) this.#proven.clear();
    this.#proven.add(host);
  }
}

function wake(queues: readonly DeliveryQueue[]): void {
  for (const { waiting } of queues) for (const look of waiting) look();
}
