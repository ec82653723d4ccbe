import { useClient } from '../../../client/index.ts';
import { SettingsSection } from '../../../settings/index.ts';
import { t } from '../../../words/managing.ts';
import { PermissionSetting } from '../permission-setting.tsx';
import type { ChannelTabProps } from './one-channel.tsx';

const SECTIONS = {
  people: [
    'can_administer_channel_group',
    'can_add_subscribers_group',
    'can_remove_subscribers_group',
    'can_subscribe_group',
  ],
  messages: [
    'can_send_message_group',
    'can_create_topic_group',
    'can_resolve_topics_group',
    'can_move_messages_within_channel_group',
    'can_move_messages_out_of_channel_group',
    'can_delete_own_message_group',
    'can_delete_any_message_group',
  ],
} as const;

/** Who may do what in a channel, beside what the organization allows everywhere. */
export function PermissionsTab({ id, row: { channel }, fixedBy }: ChannelTabProps) {
  const client = useClient();
  return (
    <>
      {(['people', 'messages'] as const).map((section) => (
        <SettingsSection
          key={section}
          id={`perm-${section}`}
          title={t(`channels.perms.${section}`)}
          lede={t('channels.permsLede')}
        >
          {SECTIONS[section].map((name) => (
            <PermissionSetting
              key={name}
              of={{ kind: 'stream', name }}
              label={t(`perm.${name}`)}
              value={channel[name]}
              fixedBy={fixedBy}
              onSave={(change) =>
                client.api.callAny('PATCH', '/streams/{stream_id}', { stream_id: id, [name]: change })
              }
            />
          ))}
        </SettingsSection>
      ))}
    </>
  );
}
