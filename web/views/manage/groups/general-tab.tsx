import { useState } from 'preact/hooks';
import { useClient } from '../../../client/index.ts';
import { SettingsSection } from '../../../settings/index.ts';
import { Button, Dialog } from '../../../ui/index.ts';
import { FieldError } from '../../../ui/field.tsx';
import { t } from '../../../words/deferred.ts';
import { groupName } from '../rights.ts';
import { TextSetting, useSaver } from '../saving.tsx';
import type { Group, GroupTabProps } from './group.ts';

/** The name and description of a group, and whether it is in use. */
export function GeneralTab({ group, fixedBy: by }: GroupTabProps) {
  const client = useClient();
  const update = (change: { readonly name?: string; readonly description?: string; readonly deactivated?: boolean }) =>
    client.api.call('PATCH', '/user_groups/{user_group_id}', { user_group_id: group.id, ...change });
  const end = useSaver();
  return (
    <>
      <div class="set-sec">
        <TextSetting
          label={t('groups.name')}
          hint={t('groups.nameHint')}
          value={groupName(client, group.id)}
          maxLength={100}
          fixedBy={by}
          onSave={(name) => update({ name })}
        />
        <TextSetting
          label={t('groups.description')}
          value={group.description}
          rows={2}
          maxLength={1024}
          fixedBy={by}
          onSave={(description) => update({ description })}
        />
      </div>
      {by === undefined && group.deactivated && (
        <SettingsSection id="gr-end" title={t('groups.isDeactivated')}>
          <Button busy={end.isBusy} onPress={() => void end.save(() => update({ deactivated: false }))}>
            {t('groups.reactivate')}
          </Button>
          {end.error !== undefined && <FieldError id="gr-end-error" text={end.error} />}
        </SettingsSection>
      )}
      {by === undefined && !group.deactivated && <Deactivate group={group} />}
    </>
  );
}

function Deactivate({ group }: { readonly group: Group }) {
  const client = useClient();
  const [isAsking, setAsking] = useState(false);
  const { isBusy, error, save } = useSaver();
  const run = async () => {
    const path = '/user_groups/{user_group_id}/deactivate';
    if (await save(() => client.api.call('POST', path, { user_group_id: group.id }))) setAsking(false);
  };
  return (
    <SettingsSection id="gr-end" title={t('groups.deactivateTitle')} lede={t('groups.deactivateHint')}>
      <Button look="danger" popup="dialog" onPress={() => setAsking(true)}>
        {t('groups.deactivate')}
      </Button>
      {isAsking && (
        <Dialog
          title={t('groups.deactivateAsk', { name: group.name })}
          onClose={() => setAsking(false)}
          foot={
            <>
              <Button look="danger" busy={isBusy} onPress={() => void run()}>
                {t('groups.deactivate')}
              </Button>
              <Button onPress={() => setAsking(false)}>{t('common.cancel')}</Button>
            </>
          }
        >
          <p>{t('groups.deactivateHint')}</p>
          {error !== undefined && <FieldError id="gr-deactivate-error" text={error} />}
        </Dialog>
      )}
    </SettingsSection>
  );
}
