import { SIGNING_IN } from './signing-in.ts';

/** A defence, how it is taken away, and the test that must then fail. */
export interface Defence {
  /** What it keeps from happening. */
  readonly keeps: string;
  readonly file: string;
  /** A text that stands in the file once, and what takes its place. */
  readonly from: string;
  readonly to: string;
  readonly test: string;
  /** Which tests of that file; a part of their names. */
  readonly named: string;
}

const EDGES = 'test/security/edges.test.ts';
const FLOODS = 'test/security/floods.test.ts';
const GUESSING = 'test/security/guessing.test.ts';
const RECOVERY = 'test/security/recovery.test.ts';
const HELD = 'src/kernel/http/bounds/held-bytes.ts';
const GUESSES = 'src/features/sign-in/guessing.ts';
const LINKS = 'src/features/sign-in/one-time-links.ts';

/** What docs/security.md promises, taken away one by one. */
export const DEFENCES: readonly Defence[] = [
  {
    keeps: 'strangers from saying which host was asked for',
    file: 'src/kernel/http/proxies.ts',
    from: `forwarded !== '' && this.isProxy(socket.remoteAddress ?? '')`,
    to: `forwarded !== ''`,
    test: EDGES,
    named: 'believes a forwarded host of the proxy alone',
  },
  {
    keeps: 'a client of the proxy from saying which host was asked for',
    file: 'src/kernel/http/proxies.ts',
    from: `forwarded.slice(forwarded.lastIndexOf(',') + 1)`,
    to: `forwarded.split(',', 1).join()`,
    test: EDGES,
    named: 'believes a forwarded host of the proxy alone',
  },
  {
    keeps: 'browsers from coming without encryption',
    file: 'src/kernel/http/framework.ts',
    from: `if (isEncrypted()) response`,
    to: `if (isEncrypted() && request.url === '') response`,
    test: EDGES,
    named: 'tells browsers to come by https',
  },
  {
    keeps: 'browsers from being sent where nothing answers',
    file: 'src/kernel/http/framework.ts',
    from: `if (isEncrypted()) response`,
    to: `response`,
    test: EDGES,
    named: 'sends browsers to no https address',
  },
  {
    keeps: 'answers that nobody reads from filling the memory',
    file: HELD,
    from: `if (!this.#fits(own.bytes, bytes)) return false;`,
    to: ``,
    test: EDGES,
    named: 'holds a bounded part of large answers',
  },
  {
    keeps: 'one address behind the proxy from taking all connections',
    file: 'src/kernel/http/bounds/traffic.ts',
    from: `(this.#proxied.get(network) ?? 0) >= this.#bounds.maxConnectionsPerAddress`,
    to: `(this.#proxied.get(network) ?? 0) >= 1e9`,
    test: EDGES,
    named: 'bounds the requests under way of each address',
  },
  {
    keeps: 'requests behind a poll from counting when their connection has gone',
    file: 'src/kernel/http/bounds/waiting-responses.ts',
    from: `if (response.socket) return;`,
    to: `if (response) return;`,
    test: EDGES,
    named: 'keeps nothing of requests that wait behind a poll',
  },
  {
    keeps: 'large answers to many at once from keeping everybody else waiting',
    file: 'src/kernel/http/bounds/parts.ts',
    from: `const TURN_BYTES = 512 * 1024;`,
    to: `const TURN_BYTES = 512 * 2 ** 20;`,
    test: 'src/kernel/http/bounds/parts.test.ts',
    named: 'a bounded part of large bodies',
  },
  {
    keeps: 'what servers send to a push gateway from filling the memory',
    file: 'src/features/push-gateway/reading.ts',
    from: `await request.content('known')`,
    to: `Buffer.concat(await request.raw.request.toArray())`,
    test: 'src/features/push-gateway/push-gateway.test.ts',
    named: 'takes no more than all of them may hold',
  },
  {
    keeps: 'messages of a channel from being handed on to who has left it',
    file: 'src/features/channel-rules/matching.ts',
    from: `.filter((rule) => readers.has(rule.creator_id))`,
    to: ``,
    test: 'src/features/channel-rules/channel-rules.test.ts',
    named: 'hand nothing on while who made them',
  },
  {
    keeps: 'bodies of directories from keeping others waiting',
    file: 'src/features/scim/pages.ts',
    from: `parseBounded(bytes.toString('utf8'))`,
    to: `{ value: JSON.parse(bytes.toString('utf8')) as unknown }`,
    test: 'src/features/scim/scim.test.ts',
    named: 'reads no body that would keep others waiting',
  },
  {
    keeps: 'mails that come at once from filling the memory',
    file: 'src/kernel/mail/inbound/whole.ts',
    from: `this.#held + chunk.length > MAX_HELD_BYTES`,
    to: `this.#held < 0`,
    test: 'src/kernel/mail/inbound/whole.test.ts',
    named: 'holds the bytes of two of the largest mails',
  },
  {
    keeps: 'passwords that come at once from filling the memory',
    file: 'src/features/sign-in/passwords.ts',
    from: `const MAX_AT_ONCE = 1;`,
    to: `const MAX_AT_ONCE = 200;`,
    test: 'src/features/sign-in/passwords.test.ts',
    named: 'one password at a time',
  },
  {
    keeps: 'what came behind too many requests from being made objects of',
    file: 'src/kernel/http/bounds/connections.ts',
    from: `socket.parser.onIncoming = () => 0`,
    to: `socket.parser.onIncoming`,
    test: FLOODS,
    named: 'makes nothing of the requests behind those that were too many',
  },
  {
    keeps: 'one request from inviting thousands',
    file: 'src/features/invitations/rules.ts',
    from: `MAX_ADDRESSES = 300`,
    to: `MAX_ADDRESSES = 5000`,
    test: EDGES,
    named: 'invites 300 people at once',
  },
  {
    keeps: 'the bodies of strangers from filling the memory',
    file: 'src/kernel/http/bounds/traffic.ts',
    from: `new HeldBytes({ max: 16 * MIB, maxPerCaller: 4 * MIB })`,
    to: `new HeldBytes({ max: 16_000 * MIB, maxPerCaller: 4000 * MIB })`,
    test: FLOODS,
    named: 'gives the bodies of all strangers a bounded room',
  },
  {
    keeps: 'a stranger from sending a large form',
    file: 'src/kernel/http/bounds/body-share.ts',
    from: `MAX_UNKNOWN_BYTES = 64 * 2 ** 10`,
    to: `MAX_UNKNOWN_BYTES = 64 * 2 ** 30`,
    test: FLOODS,
    named: 'takes no form of hundreds of large fields',
  },
  {
    keeps: 'somebody known from sending forms without end',
    file: 'src/kernel/http/bounds/body-share.ts',
    from: `MAX_KNOWN_BYTES = 8 * 2 ** 20`,
    to: `MAX_KNOWN_BYTES = 8 * 2 ** 30`,
    test: FLOODS,
    named: 'takes at most eight MiB of fields',
  },
  {
    keeps: 'bodies that come drop by drop from staying open',
    file: 'src/kernel/http/bounds/pace.ts',
    from: `now >= watched.deadline || isTooSlow(watched, now)`,
    to: `now >= watched.deadline + 1e9 && isTooSlow(watched, now)`,
    test: FLOODS,
    named: 'ends bodies that come drop by drop',
  },
  {
    keeps: 'one connection from bringing thousands of requests before any answer',
    file: 'src/kernel/http/bounds/connections.ts',
    from: `++state.underWay > MAX_UNDER_WAY`,
    to: `++state.underWay > 1e9`,
    test: FLOODS,
    named: 'ends a connection on which requests come by the thousand',
  },
  {
    keeps: 'guesses that come at once from being tried',
    file: GUESSES,
    from: `await limits.take('failed-login', pair);\n  for (const [name, key] of counted) await limits.take(name, key);`,
    to: ``,
    test: GUESSING,
    named: 'lets five of 600 guesses through',
  },
  {
    keeps: 'one network from guessing for many accounts',
    file: GUESSES,
    from: `['failed-login-address', network],`,
    to: ``,
    test: GUESSING,
    named: 'counts guesses for many accounts from one network together',
  },
  {
    keeps: 'many networks from guessing for one account',
    file: GUESSES,
    from: `['failed-login-account', account],`,
    to: ``,
    test: GUESSING,
    named: 'counts all networks together',
  },
  {
    keeps: 'strangers from keeping the owner of an account out',
    file: GUESSES,
    from: `const isKnown = await limits.has('known-network', pair);`,
    to: `const isKnown = false;`,
    test: GUESSING,
    named: 'still lets the owner in from where the account is used',
  },
  {
    keeps: 'keys of links from being guessed',
    file: GUESSES,
    from: `await limits.take('wrong-link', network);`,
    to: ``,
    test: GUESSING,
    named: 'slows down who tries keys of links',
  },
  {
    keeps: 'a link from being used twice',
    file: LINKS,
    from: `return deleteOneTimeLink(tx, purpose, hashOf(token));`,
    to: `return findOneTimeLink(tx, purpose, hashOf(token));`,
    test: 'test/security/one-use.test.ts',
    named: 'a link of a change of address',
  },
  {
    keeps: 'a link from outliving what it recovers',
    file: LINKS,
    from: `return deleteOneTimeLinks(tx, ['reset', 'email', 'sign-in'], userId);`,
    to: `return Promise.resolve();`,
    test: RECOVERY,
    named: 'dies with a change of the password',
  },
  {
    keeps: 'whoever reads the database from using its links',
    file: LINKS,
    from: `return createHash('sha256').update(token).digest('hex');`,
    to: `return token;`,
    test: RECOVERY,
    named: 'no token of a link or session is stored',
  },
  {
    keeps: 'secrets from being found out by the time that comparing takes',
    file: 'src/kernel/auth/constant-time.ts',
    from: `left.length === right.length && timingSafeEqual(left, right)`,
    to: `left.equals(right)`,
    test: 'test/security/secrets.test.ts',
    named: 'tokens of forms and of sessions',
  },
  {
    keeps: 'names of files from leading out of their folder',
    file: 'src/kernel/files/keys.ts',
    from: `part !== '.' && part !== '..' && `,
    to: ``,
    test: 'src/kernel/files/keys.test.ts',
    named: '',
  },
  {
    keeps: 'files of private channels from being opened by others',
    file: 'src/features/downloads/access.ts',
    from: `return readable.length > 0 ? { file } : { refused: 'forbidden' };`,
    to: `return { file };`,
    test: 'test/security/files-apart.test.ts',
    named: 'by every address',
  },
  {
    keeps: 'private channels from being known',
    file: 'src/features/channels/members/access.ts',
    from: `  if (!mayKnow(channel, access)) throw InvalidChannelId();\n  return { channel, access };`,
    to: `  return { channel, access };`,
    test: 'test/security/holes.test.ts',
    named: '1, 35: a private channel looks like none',
  },
  {
    keeps: 'an address that nobody verified from giving an account away',
    file: 'src/features/single-sign-on/joining.ts',
    from: `if (!isVerified) return { refusal: 'unverified' };`,
    to: ``,
    test: 'src/features/single-sign-on/single-sign-on.test.ts',
    named: 'is not verified',
  },
  ...SIGNING_IN,
];
