import type { Context } from '#kernel/context';
import type { RealmWriteTx } from '#kernel/store';

/** Returns undefined where it has nothing to do, which saves a promise. */
type Handler<P, T extends RealmWriteTx> = (tx: T, payload: P, context: Context) => Promise<void> | undefined;

/**
 * A notification from an earlier slice to later ones, inside the sender's transaction, which carries the organization
 * or the actor where handlers need them. Later slices subscribe in their manifests; handlers run in the order of the
 * list of features.
 */
export interface Signal<P, T extends RealmWriteTx> {
  readonly name: string;
  send(tx: T, payload: P, context: Context): Promise<void>;
  /** For the list of features only: subscribes a handler. */
  subscribe(handler: Handler<P, T>): void;
}

/** A subscription, its payload's type forgotten. */
export interface SignalHandler {
  readonly signal: string;
  connect(): void;
}

/** Declares a signal. */
export function signal<P, T extends RealmWriteTx = RealmWriteTx>(name: string): Signal<P, T> {
  const handlers: Handler<P, T>[] = [];
  return {
    name,
    send: async (tx, payload, context) => {
      for (const handler of handlers) {
        const handling = handler(tx, payload, context);
        if (handling) await handling;
      }
    },
    subscribe: (handler) => {
      handlers.push(handler);
    },
  };
}

/** Subscribes to a signal of an earlier slice. */
export function on<P, T extends RealmWriteTx>(heard: Signal<P, T>, handler: Handler<P, T>): SignalHandler {
  return { signal: heard.name, connect: () => heard.subscribe(handler) };
}
