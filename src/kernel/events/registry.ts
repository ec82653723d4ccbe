import { invariant } from '#kernel/errors';
import type { AnyEventType } from './event.ts';

/** All declared event types by kind (`type` or `type/op`). */
export class EventRegistry {
  readonly #types = new Map<string, AnyEventType>();

  constructor(types: readonly AnyEventType[]) {
    for (const type of types) {
      invariant(!this.#types.has(type.kind), `event ${type.kind} is declared twice`);
      this.#types.set(type.kind, type);
    }
  }

  find(kind: string): AnyEventType | undefined {
    return this.#types.get(kind);
  }

  all(): readonly AnyEventType[] {
    return [...this.#types.values()];
  }
}
