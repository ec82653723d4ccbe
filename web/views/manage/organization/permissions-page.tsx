import { useClient } from '../../../client/index.ts';
import { SettingsSection } from '../../../settings/index.ts';
import { t } from '../../../words/managing.ts';
import { PermissionSetting } from '../permission-setting.tsx';

const SECTIONS = {
  joining: ['can_invite_users_group', 'create_multiuse_invite_group', 'can_access_all_users_group'],
  channels: [
    'can_create_public_channel_group',
    'can_create_private_channel_group',
    'can_create_web_public_channel_group',
    'can_add_subscribers_group',
  ],
  groups: ['can_create_groups', 'can_manage_all_groups'],
  talking: ['direct_message_initiator_group', 'direct_message_permission_group', 'can_mention_many_users_group'],
  topics: [
    'can_resolve_topics_group',
    'can_move_messages_between_topics_group',
    'can_move_messages_between_channels_group',
    'can_set_topics_policy_group',
  ],
  messages: ['can_delete_own_message_group', 'can_delete_any_message_group', 'can_set_delete_message_policy_group'],
  additions: ['can_add_custom_emoji_group', 'can_create_bots_group', 'can_create_write_only_bots_group'],
} as const;
const KEYS = ['joining', 'channels', 'groups', 'talking', 'topics', 'messages', 'additions'] as const;

/** Who may do what everywhere. */
export function PermissionsPage() {
  const client = useClient();
  const { facts } = client.model;
  const fixedBy = facts.get('is_admin') === true ? undefined : t('group.administrators');
  return (
    <>
      {KEYS.map((section) => (
        <SettingsSection key={section} id={`orgperm-${section}`} title={t(`org.perms.${section}`)}>
          {SECTIONS[section].map((name) => (
            <PermissionSetting
              key={name}
              of={{ kind: 'realm', name }}
              label={t(`perm.${name}`)}
              value={facts.get(`realm_${name}`)}
              fixedBy={fixedBy}
              onSave={(change) => client.api.callAny('PATCH', '/realm', { [name]: change })}
            />
          ))}
        </SettingsSection>
      ))}
    </>
  );
}
