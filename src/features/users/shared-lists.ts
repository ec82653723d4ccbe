import { asId, type UserId } from '#kernel/ids';
import { type Place, piece, type Strip, strip } from '#kernel/gzip';
import { Assembled, type Part, PERSONAL_AND_TALK, type Share, type StateContext, shelf } from '#kernel/state';
import { readPeople, toWireListed, toWireLists } from './lists.ts';
import { listProfiles } from './queries.ts';
import type { UserRow } from './tables.ts';
import type { Onlooker } from './to-wire.ts';
import type { WireUser } from './wire.ts';

/** Events that change nobody's account. */
const SURVIVES: ReadonlySet<string> = new Set([...PERSONAL_AND_TALK, 'subscription', 'stream']);
/** Accounts that are compressed together. */
const RUN_LENGTH = 100;
/** An account of no ID: an onlooker who is nobody in the lists. */
const NO_ONE = asId<UserId>(0);

/** Some of the active users in order, as everybody of one role sees them who is not among them. */
interface Run {
  readonly ids: readonly UserId[];
  /** The text of each, for the one reply in which one differs. */
  readonly texts: readonly string[];
}

interface Lists {
  readonly active: readonly Run[];
  /** The text of each run. */
  readonly strip: Strip;
  readonly others: Readonly<Record<'realm_non_active_users' | 'cross_realm_bots', Assembled>>;
}

const listsShelf = shelf<Lists>();

/**
 * The lists of a viewer who may know of everybody: those of the role, where only the viewer's own entry may differ, as
 * people see their own address whoever else does. What is shown depends on the role and the wish for gravatars alone.
 */
export async function sharedLists(
  context: StateContext,
  share: Share,
  row: UserRow,
  looker: Onlooker & { readonly userId: UserId },
) {
  const { tx, realm, kit } = context;
  const host = kit.realmHost(realm);
  const { role, clientGravatar } = looker;
  const name = `users ${JSON.stringify([host, role, clientGravatar])}`;
  const lists = await share(listsShelf, name, SURVIVES, (outdated) =>
    readLists(context, host, { ...looker, userId: NO_ONE }, outdated?.strip),
  );
  const own = JSON.stringify(toWireListed(row, host, looker, await listProfiles(tx, realm.id, [row.id])));
  const parts = lists.strip.places.flatMap((place) => [',', withOwn(lists.active[place.index], place, row.id, own)]);
  return { realm_users: new Assembled(['[', ...parts.slice(1), ']']), ...lists.others };
}

function withOwn(run: Run | undefined, place: Place, id: UserId, own: string): Part {
  const index = run?.ids.indexOf(id) ?? -1;
  if (!run || index < 0 || run.texts[index] === own) return place;
  return run.texts.with(index, own).join();
}

async function readLists(
  { tx, realm, view }: StateContext,
  host: string,
  looker: Onlooker,
  before: Strip | undefined,
): Promise<Lists> {
  const lists = toWireLists(await readPeople(tx, realm, looker), host, looker, view);
  const active: Run[] = [];
  for (let start = 0; start < lists.realm_users.length; start += RUN_LENGTH)
    active.push(runOf(lists.realm_users.slice(start, start + RUN_LENGTH)));
  const whole = async (users: readonly WireUser[]) => new Assembled([await piece(JSON.stringify(users))]);
  return {
    active,
    strip: await strip(
      active.map(({ texts }) => texts.join()),
      ',',
      before,
    ),
    others: {
      realm_non_active_users: await whole(lists.realm_non_active_users),
      cross_realm_bots: await whole(lists.cross_realm_bots),
    },
  };
}

function runOf(users: readonly WireUser[]): Run {
  return { ids: users.map((user) => user.user_id), texts: users.map((user) => JSON.stringify(user)) };
}
