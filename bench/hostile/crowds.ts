import { request } from '../support/connection.ts';
import { answerTo, api, type ApiCall, type Attack, ROUNDS, type Scene, times } from './attack.ts';

const everybody = () => times(10_000, (n) => n + 10);
const CHANNELS = 1_000;
/** Messages of the topic that is moved. */
const MOVED = 400;

let stream_ids: readonly number[] = [];

/** Makes an attack of changing properties of the owner's subscriptions, which `making 1,000 channels` has made. */
function properties(name: string, change: (n: number, round: number) => Readonly<Record<string, unknown>>): Attack {
  return {
    name,
    before: async ({ ask }) => {
      if (stream_ids.length > 0) return;
      const names = times(CHANNELS, (n) => ({ name: `own ${n}` }));
      await ask('POST', '/users/me/subscriptions', { subscriptions: names });
      const { subscriptions } = await ask('GET', '/users/me/subscriptions', {});
      const own = Array.isArray(subscriptions) ? subscriptions : [];
      stream_ids = own.map((one: { readonly stream_id: number }) => one.stream_id);
    },
    send: ({ owner }, round) => {
      const subscription_data = times(CHANNELS, (n) => ({ stream_id: stream_ids[n], ...change(n, round) }));
      return request(owner, 'POST', '/users/me/subscriptions/properties', { subscription_data });
    },
  };
}

/** Registering with everything, once somebody's name has changed. */
const registering: Attack = {
  name: 'registering after a change',
  before: async ({ ask }) => void (await ask('POST', '/register', {})),
  send: (scene, round) => async () => {
    await scene.ask('PATCH', '/users/20', { full_name: `Renamed ${round}` });
    await scene.ask('POST', '/register', { client_gravatar: true, include_subscribers: 'partial' });
    return '200';
  },
};

/** Makes an attack of a request about one of the channels that were made first. */
function inChannel(
  name: string,
  nth: number,
  call: (id: number, round: number, ask: Scene['ask']) => ApiCall | Promise<ApiCall>,
): Attack {
  return {
    name,
    send: (scene, round) => async () => {
      const { streams } = await scene.ask('GET', '/streams', {});
      const ids = Array.isArray(streams) ? streams.map((one: { readonly stream_id: number }) => one.stream_id) : [];
      const id = ids.toSorted((a, b) => a - b)[nth] ?? 0;
      return answerTo(scene, request(scene.owner, ...(await call(id, round, scene.ask))));
    },
  };
}

let moved = 0;

/** Moving a topic between two channels that everybody is in. */
const moving: Attack = {
  name: `moving ${MOVED} messages that 10,000 people have`,
  before: async ({ ask }: Scene) => {
    for (const name of ['left', 'right'])
      await ask('POST', '/users/me/subscriptions', { subscriptions: [{ name }], principals: everybody() });
    for (let n = 0; n < MOVED; n++)
      moved = Number(
        (await ask('POST', '/messages', { type: 'channel', to: 'left', topic: 'moved', content: 'a' }))['id'],
      );
    for (const name of ['left', 'right'])
      places.push(Number((await ask('GET', '/get_stream_id', { stream: name }))['stream_id']));
  },
  send: ({ owner }, round) =>
    request(owner, 'PATCH', `/messages/${moved}`, { stream_id: places[(round + 1) % 2], propagate_mode: 'change_all' }),
};
const places: number[] = [];

/** People who come back, and messages of theirs that were moved meanwhile. */
const [COMING, KEPT] = [1_000, 400];
const comers = () => times(COMING, (n) => n + 10);

/**
 * Subscribing people to a channel to which messages were moved that they have not read: each is told of all of them.
 */
const comingBack: Attack = {
  name: `${COMING} people who come back to ${KEPT} messages that were moved`,
  before: async ({ ask }: Scene) => {
    for (let round = 0; round < ROUNDS; round++) {
      for (const name of ['nest', 'tree'])
        await ask('POST', '/users/me/subscriptions', {
          subscriptions: [{ name: `${name} ${round}` }],
          principals: name === 'nest' ? comers() : [],
        });
      const message = { type: 'channel', to: `nest ${round}`, topic: 'kept', content: 'a' };
      let last: unknown;
      for (let n = 0; n < KEPT; n++) last = (await ask('POST', '/messages', message))['id'];
      const { stream_id } = await ask('GET', '/get_stream_id', { stream: `tree ${round}` });
      await ask('PATCH', `/messages/${Number(last)}`, { stream_id, propagate_mode: 'change_all' });
    }
  },
  send: ({ owner }, round) =>
    request(owner, 'POST', '/users/me/subscriptions', {
      subscriptions: [{ name: `tree ${round}` }],
      principals: comers(),
    }),
};

/** Requests whose work grows with the people, channels or messages of the organization. */
export const CROWDS: readonly Attack[] = [
  properties('1,000 properties of subscriptions', (n, round) => ({
    property: 'is_muted',
    value: (n + round) % 2 === 0,
  })),
  properties('1,000 colours of subscriptions', (n, round) => ({
    property: 'color',
    value: `#0${1000 + n + round * 1000}0`,
  })),
  registering,
  inChannel('the topics of a channel that has 10,000', 1, (id) => ['GET', `/users/me/${id}/topics`, {}]),
  inChannel('renaming a topic of 100,000 messages', 2, async (id, round, ask) => {
    const narrow = [
      { operator: 'channel', operand: id },
      { operator: 'topic', operand: round === 0 ? 'long' : `longer ${round - 1}` },
    ];
    const { messages } = await ask('GET', '/messages', { anchor: 'newest', num_before: 1, num_after: 0, narrow });
    const newest = Array.isArray(messages) ? messages[0]?.id : undefined;
    return ['PATCH', `/messages/${newest}`, { topic: `longer ${round}`, propagate_mode: 'change_all' }];
  }),
  api('when everybody was seen', () => ['GET', '/realm/presence', {}]),
  api('a channel made with 10,000 people', (round) => [
    'POST',
    '/channels/create',
    { name: `crowd ${round}`, subscribers: everybody(), invite_only: true },
  ]),
  api('10,000 people taken from a channel', (round) => [
    'DELETE',
    '/users/me/subscriptions',
    { subscriptions: [`crowd ${round}`], principals: everybody() },
  ]),
  moving,
  comingBack,
];
