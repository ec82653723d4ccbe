import { useClient } from '../../../client/index.ts';
import { t } from '../../../words/deferred.ts';
import { PermissionSetting } from '../permission-setting.tsx';
import { GROUP_PERMISSIONS } from '../permissions.ts';
import type { GroupTabProps } from './group.ts';

/** The permissions of a group. */
export function PermissionsTab({ group, fixedBy: by }: GroupTabProps) {
  const client = useClient();
  return (
    <div class="set-sec">
      {GROUP_PERMISSIONS.map((name) => (
        <PermissionSetting
          key={name}
          of={{ kind: 'group', name }}
          label={t(`perm.${name}`)}
          value={group[name]}
          fixedBy={by}
          onSave={(change) =>
            client.api.callAny('PATCH', '/user_groups/{user_group_id}', { user_group_id: group.id, [name]: change })
          }
        />
      ))}
    </div>
  );
}
