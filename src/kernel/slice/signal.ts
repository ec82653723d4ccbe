import type { Context } from '#kernel/context';
import type { RealmWriteTx } from '#kernel/store';

type Handler<P> = (context: Context, tx: RealmWriteTx, payload: P) => Promise<void>;

/**
 * Something an earlier slice tells later ones, inside its own transaction. Later slices subscribe in their manifests;
 * handlers run in the order of the list of features.
 */
export interface Signal<P> {
  readonly name: string;
  send(context: Context, tx: RealmWriteTx, payload: P): Promise<void>;
  /** For the list of features only: subscribes a handler. */
  subscribe(handler: Handler<P>): void;
}

/** A subscription, its payload's type forgotten. */
export interface SignalHandler {
  readonly signal: string;
  connect(): void;
}

/** Declares a signal. */
export function signal<P>(name: string): Signal<P> {
  const handlers: Handler<P>[] = [];
  return {
    name,
    send: async (context, tx, payload) => {
      for (const handler of handlers) await handler(context, tx, payload);
    },
    subscribe: (handler) => {
      handlers.push(handler);
    },
  };
}

/** Subscribes to a signal of an earlier slice. */
export function on<P>(heard: Signal<P>, handler: Handler<P>): SignalHandler {
  return { signal: heard.name, connect: () => heard.subscribe(handler) };
}
