/**
 * Sends wake-ups between processes. A wake-up may be lost: the data is in the database, and whoever waits for a wake-up
 * reads it again after a while.
 */
export interface Bus {
  /** False if it cannot reach other processes. */
  readonly isShared: boolean;
  /** Whether wake-ups are sent and received now, as far as is known. */
  readonly isConnected: boolean;
  publish(topic: string, text: string): void;
  /** Subscribes to what other processes publish on `topic`; a process may also receive its own messages. */
  subscribe(topic: string, hear: (text: string) => void): Promise<void>;
  close(): Promise<void>;
}

/** The bus for a server of a single process; sends nothing. */
export const localBus: Bus = {
  isShared: false,
  isConnected: true,
  publish: () => undefined,
  subscribe: () => Promise.resolve(),
  close: () => Promise.resolve(),
};
