/**
 * Carries wake-ups between processes. A wake-up may be lost; the database is the truth, and those who wait look there
 * again after a while.
 */
export interface Bus {
  /** False when there is no other process that could hear or speak. */
  readonly isShared: boolean;
  /** Whether wake-ups come and go now, as far as is known. */
  readonly isConnected: boolean;
  publish(topic: string, text: string): void;
  /** Hears what other processes publish on `topic`; one's own messages may come back too. */
  subscribe(topic: string, hear: (text: string) => void): Promise<void>;
  close(): Promise<void>;
}

/** The bus of a process that serves its database alone. */
export const localBus: Bus = {
  isShared: false,
  isConnected: true,
  publish: () => undefined,
  subscribe: () => Promise.resolve(),
  close: () => Promise.resolve(),
};
