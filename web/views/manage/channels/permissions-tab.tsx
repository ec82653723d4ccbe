import { useClient } from '../../../client/index.ts';
import { SettingsSection } from '../../../settings/index.ts';
import { t } from '../../../words/deferred.ts';
import { PermissionSetting } from '../permission-setting.tsx';
import { CHANNEL_PERMISSIONS } from '../permissions.ts';
import type { ChannelTabProps } from './one-channel.tsx';

/** The permissions of a channel, besides those that the organization gives everywhere. */
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
          {CHANNEL_PERMISSIONS[section].map((name) => (
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
