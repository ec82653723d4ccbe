import { type Account, pageRequest, request } from './connection.ts';
import { pingRequest } from './presence.ts';
import { registration } from './registration.ts';

/** Subscribers of each channel, and channels of each person. */
export const SUBSCRIBERS = 20;
export const CHANNELS_EACH = 2;
/** Seconds between two pings of a client. */
const PING_SECONDS = 60;
/** Share of pings of idle people. */
const IDLE = 0.3;

/**
 * Percent of all requests, from the published table of a service with this API. Each client pings once a minute, and
 * the other rates follow from that; the 44 % that are polls result from heartbeats and events.
 */
const PERCENT = { ping: 36, other: 9.7, file: 5, messages: 3, flags: 1.5, send: 0.5, register: 0.3 };

export type Kind = keyof typeof PERCENT;

/** How often one client sends each kind of request, per second. */
export const RATES = Object.entries(PERCENT).map(
  ([kind, percent]) => [kind as Kind, percent / PERCENT.ping / PING_SECONDS] as const,
);

/** A simulated person. */
export interface Person {
  readonly index: number;
  readonly account: Account;
  /** The newest presence update that it knows. */
  last: number;
  /** ID of the newest message that it received and has not read. */
  unread: number | undefined;
}

/** The contents of the organization that requests refer to. */
export interface Grounds {
  readonly channels: number;
  /** Addresses of files, each shared in the channel of the same index. */
  readonly files: readonly string[];
}

const CHEAP = ['/users/me', '/server_settings', '/realm/linkifiers'];
const ANY = <T>(list: readonly T[]): T | undefined => list[Math.floor(Math.random() * list.length)];

/** Returns the index of a channel that the person is subscribed to. */
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

/** Returns when the message of an event was sent, on the clock of `performance`. */
export function sentAt(content: string): number {
  return Number(/at ([\d.]+)/.exec(content)?.[1]);
}
