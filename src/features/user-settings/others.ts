import { record } from '#kernel/audit';
import type { RealmRef, RealmRefWriteTx } from '#kernel/auth';
import { lockLog } from '#kernel/events';
import type { GroupId, UserId } from '#kernel/ids';
import type { Context } from '#kernel/context';
import type { RealmWriteTx } from '#kernel/store';
import { findGroups, InvalidUserGroup, InvalidUserId, membersOf } from '#features/groups';
import { lockUsers, setSettingsOfUsers, type UserRow } from '#features/users';
import { changedEvent, settingsChanged } from './actions.ts';
import { NotForOthers } from './errors.ts';
import { listEdited } from './queries.ts';
import { assertValid } from './rules.ts';
import { differences, type SentSettings, settingsOf, sparse } from './values.ts';

/** The people whose settings an administrator changes. See protocol/settings#changing, target_users. */
export interface TargetUsers {
  readonly user_ids: readonly UserId[];
  /** Groups with all their members, through any nesting. */
  readonly group_ids: readonly GroupId[];
  /** Whether to leave settings unchanged that the users chose themselves. */
  readonly skip_if_already_edited: boolean;
}

/** Settings about what users reveal about themselves, share, or are sent: nobody else may change them. */
const PRIVATE: readonly (keyof SentSettings)[] = [
  'allow_private_data_export',
  'email_address_visibility',
  'enable_digest_emails',
  'enable_login_emails',
  'enable_marketing_emails',
  'presence_enabled',
  'send_private_typing_notifications',
  'send_read_receipts',
  'send_stream_typing_notifications',
  'timezone',
];

/** Throws if the settings include one that only its user may change. */
function assertForOthers(sent: SentSettings): void {
  if (PRIVATE.some((name) => sent[name] !== undefined)) throw NotForOthers();
}

/**
 * Changes settings of other people, for all of them or for none. The settings do not count as chosen by their users.
 */
export async function updateSettingsOfOthers(
  context: Context,
  realm: RealmRef,
  targets: TargetUsers,
  sent: SentSettings,
): Promise<void> {
  assertForOthers(sent);
  assertValid(sent);
  await context.store.in(realm).write(async (tx) => {
    await lockLog(tx);
    const people = await accessTargets(tx, targets);
    const changes = await changesOf(tx, people, sent, targets.skip_if_already_edited);
    await setSettingsOfUsers(
      tx,
      changes.map(({ id, after }) => ({ id, user_settings: after })),
    );
    for (const { id, names } of changes)
      if (names.size > 0)
        record(tx, {
          action: 'user.settings',
          target: { kind: 'user', id },
          after: Object.fromEntries(Object.entries(sent).filter(([name]) => names.has(name))),
        });
    for (const [property, value] of Object.entries(sent)) {
      const userIds = changes.filter(({ names }) => names.has(property)).map(({ id }) => id);
      if (userIds.length === 0) continue;
      tx.emit(changedEvent(userIds, property, value));
      await settingsChanged.send(tx, { userIds, changed: { [property]: value } }, context);
    }
  });
}

/**
 * The people to change. Deactivated people who are named get the settings for when they are reactivated. Bots have
 * none.
 */
async function accessTargets(tx: RealmRefWriteTx, targets: TargetUsers): Promise<readonly UserRow[]> {
  const groups = await findGroups(tx, targets.group_ids);
  for (const id of targets.group_ids) {
    const group = groups.get(id);
    if (!group || group.deactivated || group.group_kind === 'anonymous') throw InvalidUserGroup();
  }
  const members = await membersOf(tx, targets.group_ids);
  const rows = await lockUsers(tx, [...new Set([...targets.user_ids, ...members])]);
  for (const id of targets.user_ids) if (!rows.has(id)) throw InvalidUserId({ id });
  return [...rows.values()].filter((row) => !row.is_bot && !row.is_system_bot);
}

interface Change {
  readonly id: UserId;
  readonly names: ReadonlySet<string>;
  /** The settings to store. */
  readonly after: Readonly<Record<string, unknown>>;
}

async function changesOf(
  tx: RealmWriteTx,
  people: readonly UserRow[],
  sent: SentSettings,
  skipsEdited: boolean,
): Promise<readonly Change[]> {
  const ids = people.map(({ id }) => id);
  const edited = skipsEdited ? await listEdited(tx, ids, Object.keys(sent)) : undefined;
  return people.flatMap((row) => {
    const before = settingsOf(row);
    const changed = differences(before, sent).filter(([name]) => !edited?.get(row.id)?.has(name));
    if (changed.length === 0) return [];
    const after = sparse({ ...before, ...Object.fromEntries(changed) });
    return [{ id: row.id, names: new Set(changed.map(([name]) => name)), after }];
  });
}
