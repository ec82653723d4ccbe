import { FieldType } from '#features/profile-fields';
import type { WholeRow } from '#kernel/store';
import { takeCodePoints } from '#kernel/text';
import type { Entry } from '../entry.ts';
import type { Plan } from '../plan.ts';
import { lastOfEach, owned } from './rows.ts';

/** Longest text of a status, in code points. */
const MAX_STATUS = 60;

/** What people have filled in in their profiles. */
export function profileValues(plan: Plan): readonly WholeRow<'profile_value'>[] {
  const people = fieldsOfPeople(plan);
  const rows = owned(plan, 'zerver_customprofilefieldvalue').flatMap(({ row, user_id }) => {
    const field_id = plan.fields.of(row.idOrNull('field'));
    if (field_id === undefined) return [];
    const given = row.text('value', '');
    const field_value = people.has(field_id) ? peopleHere(plan, given) : given;
    return [{ realm_id: plan.realmId, user_id, field_id, field_value, rendered_value: null }];
  });
  return lastOfEach(rows, (row) => `${row.user_id} ${row.field_id}`);
}

/** The profile fields whose values name people. */
function fieldsOfPeople({ tables, fields }: Plan): ReadonlySet<unknown> {
  const rows = tables.rows('zerver_customprofilefield');
  return new Set(
    rows.filter((row) => row.int('field_type', 0) === FieldType.users).map((row) => fields.of(row.id('id'))),
  );
}

/** A value that names people by their IDs. */
function peopleHere({ users }: Plan, value: string): string {
  const ids = value.match(/\d{1,10}/g) ?? [];
  return JSON.stringify(ids.flatMap((id) => users.of(Number(id)) ?? []));
}

export function statuses(plan: Plan): readonly WholeRow<'user_status'>[] {
  const rows = owned(plan, 'zerver_userstatus').map(({ row, user_id }) => ({
    realm_id: plan.realmId,
    user_id,
    status_text: takeCodePoints(row.text('status_text', ''), MAX_STATUS),
    emoji_name: row.text('emoji_name', ''),
    emoji_code: emojiCode(plan, row),
    reaction_type: row.text('reaction_type', ''),
  }));
  return lastOfEach(rows, (row) => String(row.user_id));
}

/** The code of an emoji; those of the organization are called by their ID. */
export function emojiCode({ emoji }: Plan, row: Entry): string {
  const code = row.text('emoji_code', '');
  return row.text('reaction_type', '') === 'realm_emoji' ? String(emoji.of(Number(code)) ?? code) : code;
}
