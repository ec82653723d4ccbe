import { CALLERS, type Caller } from './people.ts';

/**
 * Who may do what, written from the protocol (protocol/channels#access, protocol/subscriptions#subscribing,
 * protocol/channels#update-parameters, protocol/channels#archiving, protocol/messages#checks,
 * protocol/fetching#spectators), not from the code. Columns are the kinds of channels: public, private with shared
 * history, private with protected history, web-public, archived public, archived private. Letters: `+` done, `?` as if
 * there were none, `l` not logged in; the rest are the refusals named in outcome.ts. Rows that are not given are like
 * the row of `member`.
 */
type Rows = Partial<Readonly<Record<Caller, string>>> & { readonly member: string };

/** Without an account, or without one any more. */
const LOGGED_OUT = { spectator: 'llllll', deactivated: 'llllll' };
const ALL_GUESTS = { guest: 'gggggg', 'subscribed guest': 'gggggg' };

/** Metadata access. */
const KNOWING: Rows = {
  ...LOGGED_OUT,
  member: '+??++?',
  owner: '++++++',
  administrator: '++++++',
  guest: '???+??',
  'channel administrator': '++++++',
  'may subscribe': '++++++',
  'may add': '++++++',
  subscriber: '++++++',
  'subscribed guest': '++++++',
};

/** Content access: neither administrators nor channel administrators have it by that alone. */
const READING: Rows = {
  ...LOGGED_OUT,
  member: '+??++?',
  guest: '???+??',
  'may subscribe': '++++++',
  'may add': '++++++',
  subscriber: '++++++',
  'subscribed guest': '++++++',
};

/** Administering, where `own` is what those who may do it meet; the others learn that they may not if they may read. */
const administering = (own: string, ofAdministrators = own): Rows => ({
  ...LOGGED_OUT,
  member: 'a??aa?',
  owner: ofAdministrators,
  administrator: ofAdministrators,
  guest: '???a??',
  'channel administrator': own,
  'may subscribe': 'aaaaaa',
  'may add': 'aaaaaa',
  subscriber: 'aaaaaa',
  'subscribed guest': 'aaaaaa',
});

/** Posting: known but not open answers otherwise than unknown. */
const SENDING: Rows = {
  ...LOGGED_OUT,
  member: '+??+n?',
  owner: '+nn+nn',
  administrator: '+nn+nn',
  guest: '???+??',
  'channel administrator': '+nn+nn',
  'may subscribe': '++n+nn',
  'may add': '++n+nn',
  subscriber: '++++nn',
  'subscribed guest': '++++nn',
};

const GRIDS: Readonly<Record<string, Rows>> = {
  know: KNOWING,
  'find by name': KNOWING,
  'ask about a subscription': KNOWING,
  'follow a topic': KNOWING,
  'list subscribers': { ...KNOWING, guest: '???s??' },
  'list topics': { ...READING, spectator: '???+??' },
  'read an old message': {
    ...READING,
    'may subscribe': '++?+++',
    'may add': '++?+++',
    subscriber: '++?+++',
    'subscribed guest': '++?+++',
    spectator: 'lll+ll',
  },
  'read a new message': { ...READING, 'may subscribe': '++?+++', 'may add': '++?+++', spectator: 'lll+ll' },
  send: SENDING,
  'get an address': SENDING,
  color: {
    ...LOGGED_OUT,
    member: 'u??uu?',
    owner: 'uuuuuu',
    administrator: 'uuuuuu',
    guest: '???u??',
    'channel administrator': 'uuuuuu',
    'may subscribe': 'uuuuuu',
    'may add': 'uuuuuu',
    subscriber: '++++++',
    'subscribed guest': '++++++',
  },
  subscribe: { ...READING, ...ALL_GUESTS },
  // The organization lets moderators add people to the channels they may read.
  'subscribe another': {
    ...LOGGED_OUT,
    ...ALL_GUESTS,
    member: 'p??pp?',
    owner: '+??++?',
    administrator: '+??++?',
    moderator: '+??++?',
    'channel administrator': '+??++?',
    'may subscribe': 'pppppp',
    'may add': '++++++',
    subscriber: 'pppppp',
  },
  'remove another': {
    ...LOGGED_OUT,
    member: 'p??pp?',
    owner: '++++++',
    administrator: '++++++',
    guest: '???p??',
    'channel administrator': '++++++',
    'may subscribe': 'pppppp',
    'may add': 'pppppp',
    'may remove': '+??++?',
    subscriber: 'pppppp',
    'subscribed guest': 'pppppp',
  },
  describe: administering('++++++'),
  'set privacy': administering('+cc++c'),
  can_move_messages_within_channel_group: administering('+cc++c'),
  can_resolve_topics_group: administering('++++++'),
  archive: administering('++++=='),
  'bring back': administering('====++'),
  'make default': { ...LOGGED_OUT, member: 'dddddd', owner: '+vv+??', administrator: '+vv+??' },
};

/** Making channels: public, private, web-public, default, with a retention of its own, with a topics policy. */
const CREATING: Rows = {
  ...LOGGED_OUT,
  ...ALL_GUESTS,
  member: '++ppo+',
  owner: '++++++',
  administrator: '++p+o+',
  // Private channels are for full members here.
  newcomer: '+pppo+',
};

/** What a caller meets in each kind of channel, by operation. */
export function expectedOf(operation: string): Readonly<Record<string, string>> {
  const rows = GRIDS[operation];
  if (!rows) throw new Error(`nothing is written about ${operation}`);
  return filled(rows);
}

/** What a caller meets at each way of making a channel. */
export const expectedOfCreating = (): Readonly<Record<string, string>> => filled(CREATING);

function filled(rows: Rows): Readonly<Record<string, string>> {
  return Object.fromEntries(CALLERS.map((caller) => [caller, rows[caller] ?? rows.member]));
}
