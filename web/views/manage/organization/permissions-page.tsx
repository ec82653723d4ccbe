import { useClient } from '../../../client/index.ts';
import { SettingsSection } from '../../../settings/index.ts';
import { t } from '../../../words/deferred.ts';
import { PermissionSetting } from '../permission-setting.tsx';
import { ORGANIZATION_PERMISSIONS } from '../permissions.ts';
import { PERMISSION_SECTIONS } from '../setting-names.ts';

/** The permissions of the whole organization. */
export function PermissionsPage() {
  const client = useClient();
  const { facts } = client.model;
  const fixedBy = facts.get('is_admin') === true ? undefined : t('group.administrators');
  return (
    <>
      {PERMISSION_SECTIONS.map((section) => (
        <SettingsSection key={section} id={`orgperm-${section}`} title={t(`org.perms.${section}`)}>
          {ORGANIZATION_PERMISSIONS[section].map((name) => (
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
