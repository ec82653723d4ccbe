import { asId, type UserId } from '#kernel/ids';
import { type Piece, piece } from '#kernel/gzip';
import { Assembled, PERSONAL_AND_TALK, type Share, type StateContext, shelf } from '#kernel/state';
import { readPeople, toWireListed, toWireLists } from './lists.ts';
import { listProfiles } from './queries.ts';
import type { UserRow } from './tables.ts';
import type { Onlooker } from './to-wire.ts';
import type { WireUser } from './wire.ts';

/** Events that change nobody's account. */
const SURVIVES: ReadonlySet<string> = new Set([...PERSONAL_AND_TALK, 'subscription', 'stream']);
/** Accounts of one piece. */
const PIECE_LENGTH = 100;
/** An account of no ID: an onlooker who is nobody in the lists. */
const NO_ONE = asId<UserId>(0);

/** Some of the active users in order, as everybody of one role sees them who is not among them. */
interface Run {
  readonly ids: readonly UserId[];
  /** The text of each, for the one reply in which one differs. */
  readonly texts: readonly string[];
  readonly piece: Piece;
}

interface Lists {
  readonly active: readonly Run[];
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
  const { active, others } = await share(listsShelf, name, SURVIVES, () =>
    readLists(context, host, { ...looker, userId: NO_ONE }),
  );
  const own = JSON.stringify(toWireListed(row, host, looker, await listProfiles(tx, realm.id, [row.id])));
  const parts = active.flatMap((run, index) => [index === 0 ? '' : ',', withOwn(run, row.id, own)]);
  return { realm_users: new Assembled(['[', ...parts, ']']), ...others };
}

function withOwn(run: Run, id: UserId, own: string): string | Piece {
  const place = run.ids.indexOf(id);
  if (place < 0 || run.texts[place] === own) return run.piece;
  return run.texts.with(place, own).join(',');
}

async function readLists({ tx, realm, view }: StateContext, host: string, looker: Onlooker): Promise<Lists> {
  const lists = toWireLists(await readPeople(tx, realm, looker), host, looker, view);
  const runs: Promise<Run>[] = [];
  for (let start = 0; start < lists.realm_users.length; start += PIECE_LENGTH)
    runs.push(runOf(lists.realm_users.slice(start, start + PIECE_LENGTH)));
  const whole = async (users: readonly WireUser[]) => new Assembled([await piece(JSON.stringify(users))]);
  return {
    active: await Promise.all(runs),
    others: {
      realm_non_active_users: await whole(lists.realm_non_active_users),
      cross_realm_bots: await whole(lists.cross_realm_bots),
    },
  };
}

async function runOf(users: readonly WireUser[]): Promise<Run> {
  const texts = users.map((user) => JSON.stringify(user));
  return { ids: users.map((user) => user.user_id), texts, piece: await piece(texts.join(',')) };
}
