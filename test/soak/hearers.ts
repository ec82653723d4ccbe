// Those who listen in attacked.test.ts: a process of its own, whose work does not make those who talk wait.
import type { Account } from '../../bench/support/connection.ts';
import { Listener } from '../../bench/support/listener.ts';
import { pause } from '../support/pause.ts';

const port = Number(process.argv[2]);
/** Topic of the messages that count: the server itself tells of new channels. */
const TOPIC = process.argv[3] ?? '';
/** Registrations at once. */
const COMING = 20;

/** A client that hears of every message: the IDs of all, each as often as it came. */
async function hear(listener: Listener, heard: number[]): Promise<never> {
  for (;;) {
    const events = await listener.next().catch(() => undefined);
    for (const { message } of events ?? []) if (message?.subject === TOPIC) heard.push(message.id);
    if (!events) await pause(500);
  }
}

const heard: number[][] = [];

async function come(accounts: readonly Account[]): Promise<void> {
  for (let at = 0; at < accounts.length; at += COMING) {
    const coming = accounts.slice(at, at + COMING).map((account) => Listener.register(port, account));
    for (const listener of await Promise.all(coming)) {
      const own: number[] = [];
      heard.push(own);
      void hear(listener, own);
    }
  }
  process.send?.('ready');
}

/** Waits until everybody has heard as many as there were, some seconds at most, and tells what they heard. */
async function tell(expected: readonly number[]): Promise<void> {
  const deadline = performance.now() + 20_000;
  const isWaiting = () => heard.some((own, index) => own.length < (expected[index] ?? 0));
  while (isWaiting() && performance.now() < deadline) await pause(50);
  process.send?.(heard);
}

process.on('message', (told: { accounts: Account[] } | { expected: number[] }) => {
  void ('accounts' in told ? come(told.accounts) : tell(told.expected));
});
