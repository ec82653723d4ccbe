import { AUTO_READ, CHANNEL_COLUMNS, EDIT_HISTORY, TOPICS_POLICY } from '#features/exports';
import { randomUUID } from 'node:crypto';
import { REALM_SETTINGS } from '#features/realms';
import { insertLog } from '#kernel/events';
import { USER_SETTINGS } from '#features/user-settings';
import { asId } from '#kernel/ids';
import { insertWhole, type RealmWriteTx, type WholeRow, type WriteTx } from '#kernel/store';
import { type Keyed, keyed, SOURCES, type ToRow } from './keyed.ts';
import { foldCase, takeCodePoints } from '#kernel/text';
import { type Entry, ImportRefused } from './entry.ts';
import { importGroups, realmPermissions, type SystemGroups } from './groups.ts';
import type { Plan } from './plan.ts';
import { nameIn } from './policies.ts';
import { Names, settingsIn, wordOf } from './values.ts';

/** Stands for the address of an organization that is being filled: no host name has such a label. */
export const UNFINISHED = '~importing';

/** Stores the organization, which nobody reaches yet, and its groups. */
export async function importOrganization(
  tx: RealmWriteTx,
  plan: Plan,
  name: string | undefined,
): Promise<SystemGroups> {
  const [row] = plan.tables.rows('zerver_realm');
  if (!row) throw new ImportRefused('realm.json has no organization in zerver_realm');
  const system = await importGroups(tx, plan);
  await insertWhole(tx, 'realm', [
    {
      id: plan.realmId,
      string_id: UNFINISHED,
      name: takeCodePoints(name ?? row.text('name', 'Organization'), 40),
      uuid: randomUUID(),
      date_created: row.time('date_created', plan.now),
      is_deactivated: true,
      settings: realmSettings(plan, row),
      system_groups: system,
      ...realmPermissions(plan, system, row),
    },
  ]);
  await insertLog(tx);
  return system;
}

function realmSettings(plan: Plan, row: Entry): Readonly<Record<string, unknown>> {
  const settings = settingsIn(row, REALM_SETTINGS, (name, value) => {
    if (name === 'topics_policy') return wordOf(TOPICS_POLICY, value);
    return name === 'message_edit_history_visibility_policy' ? wordOf(EDIT_HISTORY, value) : value;
  });
  const channels = Object.entries(CHANNEL_COLUMNS).flatMap(([name, column]) => {
    const id = plan.channels.of(row.idOrNull(nameIn(row, column)));
    return id === undefined ? [] : [[name, id] as const];
  });
  const methods = plan.tables
    .rows('zerver_realmauthenticationmethod')
    .map((method) => [method.text('name'), true] as const);
  const needsTopics = !row.has('topics_policy') && row.bool('mandatory_topics', false);
  return {
    ...settings,
    ...(needsTopics && { topics_policy: 'disable_empty_topic' }),
    ...Object.fromEntries(channels),
    ...(methods.length > 0 && { authentication_methods: { Email: true, ...Object.fromEntries(methods) } }),
  };
}

/** The pictures of an emoji. */
export type EmojiFiles = Pick<WholeRow<'realm_emoji'>, 'file_name' | 'still_name'>;

/** Stores what administrators have set up. `emoji`: pictures by the ID of the emoji in the archive. */
export async function importSetup(tx: WriteTx, plan: Plan, emoji: ReadonlyMap<number, EmojiFiles>): Promise<void> {
  const { tables, realmId: realm_id, report, users } = plan;
  const copied = async <K extends Keyed>(name: K, toRow: ToRow<K>) => {
    const rows = await keyed(tx, plan, name, toRow);
    report.count(SOURCES[name].replace('zerver_', ''), rows);
  };
  await copied('realm_domain', (row, id) => ({
    id: asId(id),
    realm_id,
    domain: foldCase(takeCodePoints(row.text('domain'), 255)),
    allow_subdomains: row.bool('allow_subdomains', false),
  }));
  await copied('realm_linkifier', (row, id) => ({
    id: asId(id),
    realm_id,
    pattern: row.text('pattern'),
    url_template: row.textOrNull('url_template') ?? row.text('url_format_string', ''),
    example_input: row.textOrNull('example_input'),
    reverse_template: row.textOrNull('reverse_template'),
    alternative_url_templates: row.list('alternative_url_templates').filter((one) => typeof one === 'string'),
    position: row.int('order', id),
  }));
  await copied('realm_playground', (row, id) => ({
    id: asId(id),
    realm_id,
    name: row.text('name'),
    pygments_language: row.text('pygments_language'),
    url_template: row.textOrNull('url_template') ?? row.text('url_prefix', ''),
  }));
  const active = new Set<string>();
  await copied('realm_emoji', (row, id) => {
    const files = emoji.get(row.id('id'));
    const name = row.text('name').toLowerCase();
    if (files === undefined) {
      report.remark('emoji without a picture', name);
      return undefined;
    }
    const deactivated = row.bool('deactivated', false) || active.has(name);
    if (!deactivated) active.add(name);
    return { id: asId(id), realm_id, name, author_id: users.orNull(row.idOrNull('author')), deactivated, ...files };
  });
  const names = new Names();
  await copied('profile_field', (row, id) => ({
    id: asId(id),
    realm_id,
    name: names.free(row.text('name'), 40),
    hint: row.text('hint', ''),
    field_type: row.int('field_type', 1),
    field_data: fieldData(row),
    position: row.int('order', id),
    required: row.bool('required', false),
    editable_by_user: row.bool('editable_by_user', true),
    display_in_profile_summary: row.bool('display_in_profile_summary', false),
    use_for_user_matching: row.bool('use_for_user_matching', false),
  }));
  const folders = new Names();
  await copied('channel_folder', (row, id) => {
    const name = folders.free(row.text('name'), 60);
    return {
      id: asId(id),
      realm_id,
      name,
      name_key: foldCase(name),
      description: row.text('description', ''),
      rendered_description: '',
      position: row.int('order', id),
      date_created: row.time('date_created', plan.now),
      creator_id: users.orNull(row.idOrNull('creator')),
      is_archived: row.bool('is_archived', false),
    };
  });
  const [defaults] = tables.rows('zerver_realmuserdefault');
  const settings = defaults ? settingsIn(defaults, USER_SETTINGS, readPolicy) : {};
  if (Object.keys(settings).length > 0) await insertWhole(tx, 'realm_user_default', [{ realm_id, settings }]);
}

/** Settings whose values are words here and numbers there. */
export function readPolicy(name: string, value: unknown): unknown {
  return name === 'resolved_topic_notice_auto_read_policy' ? wordOf(AUTO_READ, value) : value;
}

function fieldData(row: Entry): Readonly<Record<string, unknown>> | null {
  const text = row.text('field_data', '');
  if (text === '') return null;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    throw row.fault('field_data', 'is no JSON');
  }
}
