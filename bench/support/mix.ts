import { type Account, pageRequest, request } from './connection.ts';
import { pingRequest } from './presence.ts';
import { registration } from './registration.ts';

/** Subscribers of each channel, and of how many channels everybody is. */
export const SUBSCRIBERS = 20;
export const CHANNELS_EACH = 2;
/** A client pings once in so many seconds. */
const PING_SECONDS = 60;
/** Share of pings of people who are not at their machine. */
const IDLE = 0.3;

/**
 * Percent of all requests, from the published table of a service whose API this is. Pings come once a minute from each
 * client, and all else as often beside them; the 44 % that are polls come of themselves, from heartbeats and events.
 */
const PERCENT = { ping: 36, other: 9.7, file: 5, messages: 3, flags: 1.5, send: 0.5, register: 0.3 };

export type Kind = keyof typeof PERCENT;

/** How often one client sends each kind of request, per second. */
export const RATES = Object.entries(PERCENT).map(
  ([kind, percent]) => [kind as Kind, percent / PERCENT.ping / PING_SECONDS] as const,
);

/** Somebody who takes part. */
export interface Person {
  readonly index: number;
  readonly account: Account;
  /** The newest presence it knows. */
  last: number;
  /** The newest message it was told of and has not read. */
  unread: number | undefined;
}

/** What there is to read in the organization. */
export interface Grounds {
  readonly channels: number;
  /** Addresses of files, each shared in the channel of the same index. */
  readonly files: readonly string[];
}

const CHEAP = ['/users/me', '/server_settings', '/realm/linkifiers'];
const ANY = <T>(list: readonly T[]): T | undefined => list[Math.floor(Math.random() * list.length)];

/** Index of a channel that somebody is subscribed to. */
const channelOf = ({ index }: Person, { channels }: Grounds) => Math.floor(index / SUBSCRIBERS) % channels;

/** The bytes of each kind of request; undefined when this person has no reason for one. */
export const REQUESTS: Readonly<Record<Kind, (person: Person, grounds: Grounds) => Buffer | undefined>> = {
  ping: ({ account, last }) =>
    pingRequest(account, {
      status: Math.random() < IDLE ? 'idle' : 'active',
      ping_only: false,
      takesGzip: true,
      last,
    }),
  other: ({ account }) => request(account, 'GET', ANY(CHEAP) ?? ''),
  file: (person, grounds) => {
    const file = grounds.files[channelOf(person, grounds)];
    return file === undefined ? undefined : pageRequest(person.account, file);
  },
  messages: (person, grounds) =>
    request(
      person.account,
      'GET',
      '/messages',
      {
        anchor: 'newest',
        num_before: 100,
        num_after: 0,
        narrow: [{ operator: 'channel', operand: `channel ${channelOf(person, grounds)}` }],
      },
      'Accept-Encoding: gzip\r\n',
    ),
  flags: ({ account, unread }) =>
    unread === undefined
      ? undefined
      : request(account, 'POST', '/messages/flags', { messages: [unread], op: 'add', flag: 'read' }),
  send: (person, grounds) =>
    request(person.account, 'POST', '/messages', {
      type: 'channel',
      to: `channel ${channelOf(person, grounds)}`,
      topic: 'the mix',
      content: `Sent **at ${performance.now()}**, see [the notes](https://example.com/notes).`,
    }),
  register: ({ account }) => registration(account),
};

/** When the message of an event was sent, on the clock of `performance`. */
export function sentAt(content: string): number {
  return Number(/at ([\d.]+)/.exec(content)?.[1]);
}
