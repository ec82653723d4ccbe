import { MAX_TOPIC } from '#features/messages';
import { FieldType } from '#features/profile-fields';
import { asId, type UserId } from '#kernel/ids';
import { insertWhole, type WholeRow, type WriteTx } from '#kernel/store';
import { foldCase, isIndexable, takeCodePoints } from '#kernel/text';
import type { Places } from './channels.ts';
import type { Entry } from './entry.ts';
import { unique } from './groups.ts';
import { keyed } from './keyed.ts';
import type { Plan } from './plan.ts';

/** Stores what people keep for themselves and say about themselves. */
export async function importPersonal(tx: WriteTx, plan: Plan, places: Places): Promise<void> {
  const { tables, realmId: realm_id, users, report } = plan;
  /** Rows of a table with the user they belong to. */
  const owned = (source: string, column = 'user_profile') =>
    tables.rows(source).flatMap((row) => {
      const user_id = users.of(row.idOrNull(column));
      return user_id === undefined ? [] : [{ row, user_id }];
    });
  const keyedBy = <T>(rows: readonly T[], key: (row: T) => string) => [
    ...new Map(rows.map((row) => [key(row), row])).values(),
  ];
  const own = (row: Entry, column = 'user_profile') => users.of(row.idOrNull(column));

  const people = new Set(
    tables
      .rows('zerver_customprofilefield')
      .filter((row) => row.int('field_type', 0) === FieldType.users)
      .map((row) => Number(plan.fields.of(row.id('id')))),
  );
  await insertWhole(
    tx,
    'profile_value',
    keyedBy(
      owned('zerver_customprofilefieldvalue').flatMap(({ row, user_id }) => {
        const field_id = plan.fields.of(row.idOrNull('field'));
        if (field_id === undefined) return [];
        const isPeople = people.has(Number(field_id));
        const given = row.text('value', '');
        const field_value = isPeople ? peopleHere(plan, given) : given;
        return [{ realm_id, user_id, field_id, field_value, rendered_value: null }];
      }),
      (row) => `${row.user_id} ${row.field_id}`,
    ),
  );
  const words = new Set<string>();
  await keyed(tx, plan, 'alert_word', (row, id) => {
    const user_id = own(row);
    const word = takeCodePoints(row.text('word', '').trim(), 100);
    const key = `${user_id} ${foldCase(word)}`;
    if (user_id === undefined || word === '' || words.has(key)) return undefined;
    words.add(key);
    return { id: asId(id), realm_id, user_id, word, word_key: foldCase(word) };
  });
  await insertWhole(
    tx,
    'muted_user',
    keyedBy(
      owned('zerver_muteduser').flatMap(({ row, user_id }) => {
        const muted_user_id = users.of(row.idOrNull('muted_user'));
        return muted_user_id === undefined
          ? []
          : [{ realm_id, user_id, muted_user_id, muted_at: row.time('date_muted', tx.now) }];
      }),
      (row) => `${row.user_id} ${row.muted_user_id}`,
    ),
  );
  await insertWhole(tx, 'user_topic', topicsOf(plan));
  await insertWhole(
    tx,
    'user_status',
    keyedBy(
      owned('zerver_userstatus').map(({ row, user_id }) => ({
        realm_id,
        user_id,
        status_text: takeCodePoints(row.text('status_text', ''), 60),
        emoji_name: row.text('emoji_name', ''),
        emoji_code: emojiCode(plan, row),
        reaction_type: row.text('reaction_type', ''),
      })),
      (row) => String(row.user_id),
    ),
  );
  await importPresences(tx, plan);
  const counted = async (name: string, rows: Promise<number>) => report.count(name, await rows);
  await counted(
    'saved snippets',
    keyed(tx, plan, 'saved_snippet', (row, id) => {
      const user_id = own(row);
      if (user_id === undefined) return undefined;
      const [title, content] = [row.text('title', ''), row.text('content', '')];
      return { id: asId(id), realm_id, user_id, title, content, date_created: row.time('date_created', tx.now) };
    }),
  );
  const fragments = new Set<string>();
  await keyed(tx, plan, 'navigation_view', (row, id) => {
    const user_id = own(row, 'user');
    const fragment = row.text('fragment', '');
    if (user_id === undefined || !isIndexable(fragment) || fragments.has(`${user_id} ${fragment}`)) return undefined;
    fragments.add(`${user_id} ${fragment}`);
    return {
      id: asId(id),
      realm_id,
      user_id,
      fragment,
      is_pinned: row.bool('is_pinned', true),
      view_name: row.textOrNull('name'),
    };
  });
  await insertWhole(
    tx,
    'onboarding_step',
    keyedBy(
      owned('zerver_onboardingstep', 'user').map(({ row, user_id }) => ({
        realm_id,
        user_id,
        step_name: takeCodePoints(row.text('onboarding_step', ''), 100),
        read_at: row.time('timestamp', tx.now),
      })),
      (row) => `${row.user_id} ${row.step_name}`,
    ),
  );
  await counted(
    'drafts',
    keyed(tx, plan, 'draft', (row, id) => toDraft(plan, row, id)),
  );
  await counted(
    'scheduled messages',
    keyed(tx, plan, 'scheduled_message', (row, id) => toScheduled(plan, places, row, id)),
  );
  await insertWhole(
    tx,
    'bot_storage',
    keyedBy(
      owned('zerver_botstoragedata', 'bot_profile').map(({ row, user_id }) => {
        const [storage_key, storage_value] = [row.text('key'), row.text('value', '')];
        if (!isIndexable(storage_key)) throw row.fault('key', 'is too long');
        const storage_size = [...storage_key].length + [...storage_value].length;
        return { user_id, realm_id, storage_key, storage_value, storage_size };
      }),
      (row) => `${row.user_id} ${row.storage_key}`,
    ),
  );
}

/** A value that names people by their IDs. */
function peopleHere({ users }: Plan, value: string): string {
  const ids = value.match(/\d{1,10}/g) ?? [];
  return JSON.stringify(ids.flatMap((id) => users.of(Number(id)) ?? []));
}

/** The code of an emoji; those of the organization are called by their ID. */
export function emojiCode({ emoji }: Plan, row: Entry): string {
  const code = row.text('emoji_code', '');
  return row.text('reaction_type', '') === 'realm_emoji' ? String(emoji.of(Number(code)) ?? code) : code;
}

function topicsOf({ tables, users, channels, realmId }: Plan): readonly WholeRow<'user_topic'>[] {
  const found = new Map<string, WholeRow<'user_topic'>>();
  for (const row of tables.rows('zerver_usertopic')) {
    const [user_id, channel_id] = [users.of(row.idOrNull('user_profile')), channels.of(row.idOrNull('stream'))];
    const policy = ([1, 2, 3] as const).find((known) => known === row.int('visibility_policy', 0));
    if (user_id === undefined || channel_id === undefined || policy === undefined) continue;
    const topic = takeCodePoints(row.text('topic_name', ''), MAX_TOPIC);
    const [topic_key, last_updated] = [foldCase(topic), row.time('last_updated', 0)];
    found.set(`${user_id} ${channel_id} ${topic_key}`, {
      realm_id: realmId,
      user_id,
      channel_id,
      topic,
      topic_key,
      visibility_policy: policy,
      last_updated,
    });
  }
  return [...found.values()];
}

async function importPresences(tx: WriteTx, { tables, users, realmId: realm_id }: Plan): Promise<void> {
  const rows = new Map<UserId, Omit<WholeRow<'presence'>, 'update_id'> & { readonly at: number }>();
  for (const row of tables.rows('zerver_userpresence')) {
    const user_id = users.of(row.idOrNull('user_profile'));
    const last_connected_at = row.timeOrNull('last_connected_time');
    if (user_id === undefined || last_connected_at === null) continue;
    const last_active_at = row.timeOrNull('last_active_time');
    rows.set(user_id, { realm_id, user_id, last_active_at, last_connected_at, at: row.int('last_update_id', 0) });
  }
  const ordered = [...rows.values()].toSorted((a, b) => a.at - b.at);
  await insertWhole(
    tx,
    'presence',
    ordered.map(({ at: _at, ...row }, index) => ({ ...row, update_id: index + 1 })),
  );
  await insertWhole(tx, 'presence_counter', [{ realm_id, newest_update_id: ordered.length }]);
}

function toDraft({ users, channels, realmId }: Plan, row: Entry, id: number): WholeRow<'draft'> | undefined {
  const user_id = users.of(row.idOrNull('user_profile'));
  const draft_type = (['', 'stream', 'private'] as const).find((known) => known === row.raw('draft_type'));
  if (user_id === undefined || draft_type === undefined) return undefined;
  const here = (one: number) => (draft_type === 'stream' ? channels.of(one) : users.of(one));
  return {
    id: asId(id),
    realm_id: realmId,
    user_id,
    draft_type,
    draft_to: row.ids('draft_to').flatMap((one) => here(one) ?? []),
    topic: row.text('topic', ''),
    content: row.text('content', ''),
    edited_at: row.time('last_edit_time', 0),
  };
}

function toScheduled(plan: Plan, places: Places, row: Entry, id: number): WholeRow<'scheduled_message'> | undefined {
  const { users, channels, realmId } = plan;
  const user_id = users.of(row.idOrNull('sender'));
  const recipient = row.id('recipient');
  if (user_id === undefined) return undefined;
  const named = row.ids('recipient_ids').flatMap((one) => users.of(one) ?? []);
  const people = places.groups.get(recipient)?.filter((one) => one !== user_id) ?? [
    places.people.get(recipient) ?? user_id,
  ];
  return {
    id: asId(id),
    realm_id: realmId,
    user_id,
    channel_id: channels.orNull(row.idOrNull('stream')),
    recipient_ids:
      row.raw('stream') === null
        ? unique((named.length > 0 ? named : people).map((one) => ({ one }))).map(({ one }) => one)
        : [],
    topic: row.text('subject', ''),
    content: row.text('content', ''),
    // What it will be is rendered when it is sent.
    rendered_content: '',
    deliver_at: row.time('scheduled_timestamp', 0),
    is_read_by_sender: row.bool('read_by_sender', true),
    client: 'import',
    failed: row.bool('failed', false),
    failure: row.textOrNull('failure_message'),
    version: 1,
    delivered_at: row.bool('delivered', false) ? row.time('scheduled_timestamp', 0) : null,
    message_id: plan.messages.orNull(row.idOrNull('delivered_message')),
  };
}
