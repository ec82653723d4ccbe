import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { join } from '#kernel/gzip';
import { asId, type RealmId, type UserId } from '#kernel/ids';
import { PresenceList, type PresenceQuery, type PresenceAnswer } from './list.ts';
import type { RealmPeople, Person } from './people.ts';
import type { PresenceRow } from './tables.ts';
import { toLegacy, toModern } from './to-wire.ts';

const PEOPLE = 150;
const JOINED = 1000;

const id = (number: number) => asId<UserId>(number);
const emailOf = (userId: number, isChanged: boolean) => `${isChanged ? 'other' : 'user'}-${userId}@roost.test`;

/** The people without one of them, and with other addresses where somebody is missing. */
function peopleWithout(missing: number): RealmPeople {
  const people = new Map<UserId, Person>();
  for (let user = 1; user <= PEOPLE; user++) {
    const email = emailOf(user, missing > 0);
    const person = { user_id: id(user), email, date_joined: JOINED, isShown: true, last_active_at: 0 };
    if (user !== missing) people.set(id(user), person);
  }
  return { byId: people, activeUsers: PEOPLE, isDisabled: false };
}

const row = (user: number, update_id: number, time: number, isActive: boolean): PresenceRow => ({
  realm_id: asId<RealmId>(1),
  user_id: id(user),
  last_active_at: isActive ? time : null,
  last_connected_at: time,
  update_id,
});

/** What a list must select, from all rows that were ever written. */
function naively(rows: readonly PresenceRow[], { after, since, people, hidden, form }: PresenceQuery) {
  const last = new Map(rows.map((written) => [written.user_id, written]));
  const found = [...last.values()]
    .filter((found) => found.update_id > after && found.last_connected_at >= since)
    .flatMap((found) => {
      const person = people.byId.get(found.user_id);
      return person ? [{ found, person }] : [];
    });
  const members = found
    .filter(({ person }) => !hidden?.has(person.user_id))
    .map(({ found, person }) =>
      form === 'modern' ? [person.user_id, toModern(found, JOINED)] : [person.email, toLegacy(found)],
    );
  const newest = Math.max(0, ...found.map(({ found }) => found.update_id));
  return { members: Object.fromEntries(members), newest: newest === 0 ? undefined : newest };
}

/** The members selected, each once; from the shared texts as they are, and from the compressed ones. */
async function membersOf({ own, shared }: PresenceAnswer) {
  const plain = `${own}${Buffer.concat(shared.map(({ text }) => text)).toString()}`.replace(/^,/, '');
  const packed = await Promise.all(shared.map((one) => one.packed));
  const inflated = gunzipSync(Buffer.concat(join(packed))).toString();
  expect(`${own}${inflated}`.replace(/^,/, '')).toBe(plain);
  const members: unknown = JSON.parse(`{${plain}}`);
  // A member selected twice would be lost here.
  expect(JSON.stringify(members)).toHaveLength(plain.length + 2);
  return members;
}

const user = fc.integer({ min: 1, max: PEOPLE });
const ping = fc.record({ user, idsLater: fc.integer({ min: 1, max: 3 }), later: fc.nat(3), isActive: fc.boolean() });
const question = fc.record({
  form: fc.constantFrom('modern' as const, 'legacy' as const),
  missing: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: user }),
  hidden: fc.option(user, { freq: 3, nil: undefined }),
  /** How far back, as a share of all updates and of all time. */
  after: fc.double({ min: -0.1, max: 1, noNaN: true }),
  since: fc.option(fc.double({ min: 0, max: 1, noNaN: true }), { freq: 2, nil: undefined }),
});
/** Rounds in which everybody pings in order, as people do, with a few out of turn, and questions in between. */
const round = fc.record({
  isOrderly: fc.boolean(),
  pings: fc.array(ping, { minLength: 50, maxLength: 200 }),
  questions: fc.array(question, { minLength: 1, maxLength: 6 }),
});

describe('the list of presences', () => {
  it('tells what a list of all rows tells, in shared texts and compressed', async () => {
    let shared = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(round, { minLength: 1, maxLength: 12 }), async (rounds) => {
        const list = new PresenceList();
        const peopleByMissing = new Map<number, RealmPeople>();
        const rows: PresenceRow[] = [];
        let now = JOINED;
        let newest = 0;
        for (const { isOrderly, pings, questions } of rounds) {
          for (const [index, { user: anybody, idsLater, later, isActive }] of pings.entries()) {
            now += later;
            newest += idsLater;
            rows.push(row(isOrderly ? 1 + (index % PEOPLE) : anybody, newest, now, isActive));
            list.add(rows.slice(-1));
          }
          for (const asked of questions) {
            const people = peopleByMissing.get(asked.missing) ?? peopleWithout(asked.missing);
            peopleByMissing.set(asked.missing, people);
            const hidden =
              asked.hidden === undefined ? undefined : { has: (it: number) => it === asked.hidden, host: '' };
            const since = asked.since === undefined ? Number.NEGATIVE_INFINITY : JOINED + asked.since * (now - JOINED);
            const full = { form: asked.form, people, hidden, since, after: Math.floor(asked.after * newest) };
            const selected = list.select(full);
            shared += selected.shared.length;
            if (hidden) expect(selected.shared).toEqual([]);
            expect({ members: await membersOf(selected), newest: selected.newest }).toEqual(naively(rows, full));
          }
        }
      }),
      { numRuns: 60 },
    );
    expect(shared).toBeGreaterThan(100);
  });

  it('makes what it shares once, and anew when somebody in it was seen again or the people changed', () => {
    const list = new PresenceList();
    for (let user = 1; user <= PEOPLE; user++) list.add([row(user, user, JOINED, true)]);
    const people = peopleWithout(0);
    const shared = (people: RealmPeople) =>
      list.select({ form: 'modern', people, after: 0, since: 0, hidden: undefined }).shared;
    const textOf = (people: RealmPeople) => Buffer.concat(shared(people).map(({ text }) => text)).toString();
    const parts = shared(people);
    expect(parts.length).toBeGreaterThan(1);
    // Nobody may be selected a second time; from then on it is one text for all.
    const [joined, ...others] = shared(people);
    expect(others).toEqual([]);
    expect(joined?.text).toEqual(Buffer.concat(parts.map(({ text }) => text)));
    expect(shared(people)[0] === joined).toBe(true);
    expect(textOf(people)).toContain('"7":');
    list.add([row(7, PEOPLE + 1, JOINED, true)]);
    expect(textOf(people)).not.toContain('"7":');
    expect(textOf(peopleWithout(9))).not.toContain('"9":');
    expect(textOf(people)).toContain('"9":');
  });
});
