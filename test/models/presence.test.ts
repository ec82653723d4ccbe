import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Body, Client } from '../support/client.ts';
import { databasesInTurn } from '../support/databases.ts';
import { openWorld, type World } from '../support/world.ts';

/** Milliseconds after which no further sequence is begun. */
const BUDGET_MS = 10_000;
const PATH = '/users/me/presence';
/** Enough that what many are told alike is shared. */
const CROWD = 140;
/** Those of the crowd who do more than ping in turn. */
const ACTORS = 6;
const DAY_SECONDS = 86_400;

interface Written {
  readonly active: number | null;
  readonly connected: number;
  /** The how manieth write it was. */
  readonly rank: number;
}

/** Presences as protocol/presence#reporting describes them, every row looked at each time. */
class NaivePresences {
  readonly rows = new Map<number, Written>();
  writes = 0;

  ping(userId: number, isActive: boolean, now: number): void {
    const before = this.rows.get(userId);
    if (!before) return this.#write(userId, isActive ? now : null, now);
    const isLate = now - before.connected > 55;
    const isActiveAgain = isActive && (before.active === null || now - before.active > 55);
    if (!isLate && !isActiveAgain) return;
    this.#write(userId, isActiveAgain ? now : before.active, Math.max(before.connected, now));
  }

  show(userId: number, isShown: boolean, now: number): void {
    this.#write(userId, isShown ? now : null, isShown ? now : now - 320);
  }

  /** Rows written after another, newest last. */
  since(rank: number): readonly (readonly [number, Written])[] {
    return [...this.rows].filter(([, row]) => row.rank > rank).toSorted(([, a], [, b]) => a.rank - b.rank);
  }

  #write(userId: number, active: number | null, connected: number): void {
    this.rows.set(userId, { active, connected, rank: ++this.writes });
  }
}

/** Somebody who puts together what was answered, as clients do. */
interface Watcher {
  readonly client: Client;
  presences: Body;
  last: number;
}

const actor = fc.nat(ACTORS - 1);
const ping = fc.record({
  kind: fc.constant('ping' as const),
  who: actor,
  status: fc.constantFrom('active' as const, 'idle' as const),
  form: fc.constantFrom('modern' as const, 'slim' as const, 'legacy' as const, 'only' as const),
  /** What it was last told of, as a share of all writes; -1 for a first fetch. */
  known: fc.oneof(fc.constant(-1), fc.double({ min: 0, max: 1, noNaN: true })),
  days: fc.constantFrom(undefined, 0, 1),
});
type Ping = Omit<typeof ping extends fc.Arbitrary<infer T> ? T : never, 'kind' | 'who'>;
const MERE_PING: Ping = { status: 'active', form: 'only', known: -1, days: undefined };
/** Some of the crowd ping, and a minute later again: they are still there. */
const round = fc.record({ kind: fc.constant('round' as const), share: fc.double({ min: 0.1, max: 1, noNaN: true }) });
const wait = fc.record({
  kind: fc.constant('wait' as const),
  seconds: fc.constantFrom(1, 1, 20, 56, 56, 130, 200, DAY_SECONDS),
});
const toggle = fc.record({ kind: fc.constant('toggle' as const), who: actor });
const command = fc.oneof(
  { weight: 8, arbitrary: ping },
  { weight: 2, arbitrary: round },
  { weight: 4, arbitrary: wait },
  { weight: 1, arbitrary: toggle },
);
const register = fc.record({ kind: fc.constant('register' as const), who: actor });
const together = fc.array(
  fc.oneof({ weight: 6, arbitrary: ping }, { weight: 1, arbitrary: toggle }, { weight: 1, arbitrary: register }),
  { minLength: 1, maxLength: 12 },
);

describe.each(databasesInTurn(import.meta.url))('presences on %s', (database) => {
  let world: World;
  let crowd: Client[];
  let guest: Client;
  const hiddenUsers = new Set<number>();
  const shown = new Map<number, boolean>();

  beforeAll(async () => {
    world = await openWorld(database);
    const { olive, realm } = world;
    crowd = [];
    for (let i = 0; i < CROWD; i++) crowd.push(await world.user());
    guest = await world.user({ role: 600 });
    const met = [guest, ...crowd.filter((_, index) => index % 3 === 0)].map(({ userId }) => userId);
    await olive.post('/users/me/subscriptions', { subscriptions: [{ name: 'nests' }], principals: met });
    await olive.patch('/realm', { can_access_all_users_group: { new: realm.groups['role:members'] } });
    for (const { userId } of [...crowd, world.max]) if (!met.includes(userId)) hiddenUsers.add(userId);
  });
  afterAll(() => world.close());

  const now = () => world.clock.now();
  const clientOf = (index: number): Client => crowd[index] ?? world.max;
  const switchPresence = (client: Client): Promise<Body> => {
    const isShown = shown.get(client.userId) === false;
    shown.set(client.userId, isShown);
    return client.patch('/settings', { presence_enabled: isShown });
  };
  const tellsAll = async (client: Client) => {
    const answer = await client.post(PATH, { status: 'idle', last_update_id: -1, history_limit_days: 99_999 });
    return { presences: answer['presences'], last: answer['presence_last_update_id'] };
  };

  it('are what looking at every row gives (protocol/presence#reporting)', async () => {
    const model = new NaivePresences();
    /** The update IDs that were told, by the how manieth write each stands for. */
    const ids = new Map<number, number>([[0, 0]]);
    const idOf = (rank: number) => Math.max(...[...ids].filter(([told]) => told <= rank).map(([, id]) => id));
    const rankOf = (id: number) => Math.max(...[...ids].filter(([, told]) => told <= id).map(([rank]) => rank));
    const joined = now();

    const pingAs = async (client: Client, { status, form, known, days }: Ping) => {
      if (shown.get(client.userId) !== false) model.ping(client.userId, status === 'active', now());
      const isModern = form === 'modern' || form === 'slim';
      const last = form === 'modern' ? (known < 0 ? -1 : idOf(Math.floor(known * model.writes))) : undefined;
      const answer = await client.post(PATH, {
        status,
        last_update_id: last,
        slim_presence: form === 'slim',
        ping_only: form === 'only',
        history_limit_days: days,
      });
      if (form === 'only') return expect(answer['presence_last_update_id']).toBe(-1);
      const isFirst = last === undefined || last <= 0;
      const found =
        isFirst && days === 0
          ? []
          : model
              .since(rankOf(last ?? -1))
              .filter(([, row]) => !isFirst || row.connected >= now() - (days ?? 14) * DAY_SECONDS);
      const visible = found.filter(([userId]) => client !== guest || !hiddenUsers.has(userId));
      const times = visible.map(([userId, { active, connected }]) => [
        userId,
        { active_timestamp: active ?? joined, idle_timestamp: connected },
      ]);
      const devices = visible.map(([userId, { active, connected }]) => {
        const isActive = active !== null && active + 70 >= connected;
        const aggregated = {
          client: 'website',
          status: isActive ? 'active' : 'idle',
          timestamp: isActive ? active : connected,
        };
        return [clientBy(userId).email, { aggregated, website: { ...aggregated, pushable: false } }];
      });
      expect(answer['presences']).toEqual(Object.fromEntries(isModern ? times : devices));
      const newest = found.at(-1)?.[1].rank;
      const told = answer['presence_last_update_id'];
      if (newest === undefined) return expect(told).toBe(last ?? -1);
      expect(told).toBeGreaterThanOrEqual(idOf(newest));
      if (ids.has(newest)) expect(told).toBe(ids.get(newest));
      else expect(told).toBeGreaterThan(idOf(newest));
      ids.set(newest, told);
    };
    const clientBy = (userId: number) => [...crowd, guest].find((client) => client.userId === userId) ?? world.max;
    const begun = performance.now();
    await fc.assert(
      fc.asyncProperty(fc.array(command, { minLength: 10, maxLength: 30 }), async (commands) => {
        if (performance.now() - begun > BUDGET_MS) return;
        for (const done of commands) {
          if (done.kind === 'wait') world.clock.advance(done.seconds * 1000);
          if (done.kind === 'ping') await pingAs(done.who === 0 ? guest : clientOf(done.who), done);
          if (done.kind === 'round') {
            const present = crowd.slice(0, Math.ceil(done.share * CROWD));
            for (const client of present) await pingAs(client, MERE_PING);
            world.clock.advance(56_000);
            for (const client of present) await pingAs(client, MERE_PING);
          }
          if (done.kind === 'toggle') {
            await switchPresence(clientOf(done.who));
            model.show(clientOf(done.who).userId, shown.get(clientOf(done.who).userId) ?? true, now());
          }
        }
        await pingAs(world.max, { status: 'active', form: 'modern', known: 0.3, days: undefined });
      }),
      { numRuns: 40 },
    );
  });

  it('are the same for who fetches all and who fetches what is new, whatever happens at once', async () => {
    const begun = performance.now();
    await fc.assert(
      fc.asyncProperty(fc.array(together, { minLength: 3, maxLength: 10 }), async (steps) => {
        if (performance.now() - begun > BUDGET_MS) return;
        const watchers: Watcher[] = [];
        const look = async (watcher: Watcher) => {
          const answer = await watcher.client.post(PATH, { status: 'idle', last_update_id: watcher.last });
          Object.assign(watcher.presences, answer['presences']);
          watcher.last = answer['presence_last_update_id'];
        };
        for (const step of steps) {
          world.clock.advance(step.length % 2 === 0 ? 56_000 : 1000);
          const watched = watchers.map(look);
          await Promise.all(
            step.map(async (done) => {
              const client = clientOf(done.who);
              if (done.kind === 'toggle') return switchPresence(client);
              if (done.kind === 'ping')
                return client.post(PATH, { status: done.status, ping_only: done.form === 'only' });
              const { state } = await client.register({ slim_presence: true, presence_history_limit_days: 99_999 });
              watchers.push({ client, presences: state['presences'], last: state['presence_last_update_id'] });
            }),
          );
          await Promise.all(watched);
          watchers.push({ client: world.mia, ...(await tellsAll(world.mia)) });
        }
        const all = await tellsAll(world.max);
        for (const watcher of watchers) {
          await look(watcher);
          expect(watcher.presences).toEqual((await tellsAll(world.max)).presences);
        }
        expect(all.last).toBeGreaterThan(0);
      }),
      { numRuns: 40 },
    );
  });
});
