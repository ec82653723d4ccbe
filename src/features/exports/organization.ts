import { settingsOf } from '#features/realms';
import { allRowsOf, type RealmReadTx, type WholeRow } from '#kernel/store';
import type { Records } from './json.ts';
import { numbered, settingColumns } from './people.ts';
import type { Scope } from './scope.ts';

export const TOPICS_POLICY = { inherit: 1, allow_empty_topic: 2, disable_empty_topic: 3, empty_topic_only: 4 } as const;
export const EDIT_HISTORY = { all: 1, moves: 2, none: 3 } as const;
/** Settings that name a channel, and what the format calls them. */
export const CHANNEL_COLUMNS = {
  moderation_request_channel_id: 'moderation_request_channel',
  new_stream_announcements_stream_id: 'new_stream_announcements_stream',
  signup_announcements_stream_id: 'signup_announcements_stream',
  zulip_update_announcements_stream_id: 'zulip_update_announcements_stream',
} as const;

type Table = readonly [string, Records];

/** The organization and what its administrators have set up. */
export async function organizationTables(tx: RealmReadTx, scope: Scope): Promise<readonly Table[]> {
  const { realmId } = scope;
  const [realm] = await allRowsOf(tx, 'realm');
  if (!realm) throw new Error('the organization is gone');
  const methods = Object.entries(settingsOf(realm).authentication_methods).flatMap(([name, isOn]) =>
    isOn ? [name] : [],
  );
  const [defaults] = await allRowsOf(tx, 'realm_user_default');
  const streams = await allRowsOf(tx, 'default_channel_group_member');
  const owned = <T extends object>(rows: readonly T[]) => rows.map((row) => ({ ...row, realm: realmId }));
  return [
    ['zerver_realm', [toRealm(realm, scope)]],
    ['zerver_realmauthenticationmethod', numbered(methods.map((name) => ({ realm: realmId, name })))],
    ['zerver_realmuserdefault', [{ id: 1, realm: realmId, ...settingColumns(defaults?.settings ?? {}) }]],
    ['zerver_realmdomain', owned(await allRowsOf(tx, 'realm_domain'))],
    ['zerver_realmfilter', owned(await allRowsOf(tx, 'realm_linkifier')).map(ordered)],
    ['zerver_realmplayground', owned(await allRowsOf(tx, 'realm_playground'))],
    [
      'zerver_realmemoji',
      owned(await allRowsOf(tx, 'realm_emoji')).map((row) => ({
        ...row,
        author: row.author_id,
        is_animated: row.still_name !== null,
      })),
    ],
    [
      'zerver_customprofilefield',
      owned(await allRowsOf(tx, 'profile_field'))
        .map(ordered)
        .map((row) => ({ ...row, field_data: row.field_data === null ? '' : JSON.stringify(row.field_data) })),
    ],
    [
      'zerver_customprofilefieldvalue',
      numbered(
        (await allRowsOf(tx, 'profile_value')).map((row) => ({
          user_profile: row.user_id,
          field: row.field_id,
          value: row.field_value,
          rendered_value: row.rendered_value,
        })),
      ),
    ],
    [
      'zerver_channelfolder',
      owned(await allRowsOf(tx, 'channel_folder'))
        .map(ordered)
        .map(({ creator_id, ...row }) => ({ ...row, name_key: undefined, creator: creator_id })),
    ],
    [
      'zerver_defaultstreamgroup',
      (await allRowsOf(tx, 'default_channel_group')).map(({ id, name, description }) => ({
        id,
        realm: realmId,
        name,
        description,
        streams: streams
          .filter((row) => row.default_group_id === id)
          .map((row) => row.channel_id)
          .filter(scope.hasChannel),
      })),
    ],
  ];
}

function ordered<T extends { readonly position: number }>({ position, ...row }: T) {
  return { ...row, order: position };
}

function toRealm(row: WholeRow<'realm'>, scope: Scope): object {
  const { settings: _, system_groups: __, is_deactivated, ...columns } = row;
  const settings = settingsOf(row);
  const { authentication_methods: ___, topics_policy, message_edit_history_visibility_policy, ...others } = settings;
  const channels = Object.entries(CHANNEL_COLUMNS).map(([name, column]) => {
    const id = Number(Object.entries(settings).find(([known]) => known === name)?.[1]);
    return [column, scope.hasChannel(id) ? id : null];
  });
  const plain = Object.entries(others).filter(([name]) => !(name in CHANNEL_COLUMNS));
  return {
    ...columns,
    ...Object.fromEntries<unknown>([...plain, ...channels].map(([name, value]) => [String(name), value])),
    deactivated: is_deactivated,
    topics_policy: TOPICS_POLICY[topics_policy],
    message_edit_history_visibility_policy: EDIT_HISTORY[message_edit_history_visibility_policy],
  };
}
