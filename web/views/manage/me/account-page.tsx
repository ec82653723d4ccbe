import { useState } from 'preact/hooks';
import { useClient } from '../../../client/index.ts';
import { SettingRow, SettingsSection } from '../../../settings/index.ts';
import { Button, LinkButton } from '../../../ui/index.ts';
import { t } from '../../../words/deferred.ts';
import { SelectSetting, SwitchSetting } from '../saving.tsx';
import { PRIVACY_FLAGS } from '../setting-names.ts';
import { AddressDialog, KeyDialog, PasswordDialog } from './account-dialogs.tsx';
import { KeysSection } from './keys-section.tsx';
import { useSettings } from './own-settings.ts';

const DIALOGS = { address: AddressDialog, password: PasswordDialog, key: KeyDialog } as const;

/** Logging in, and what others see of the account. */
export function AccountPage() {
  const client = useClient();
  const { facts } = client.model;
  const { settings, update } = useSettings();
  const [open, setOpen] = useState<keyof typeof DIALOGS | undefined>();
  const Dialog = open && DIALOGS[open];
  const isFixed = facts.get('realm_email_changes_disabled') === true && facts.get('is_admin') !== true;
  const areReceiptsOff = facts.get('realm_enable_read_receipts') !== true;
  return (
    <>
      <SettingsSection id="acc-login" title={t('me.login')}>
        <SettingRow label={t('me.email')} hint={facts.get('delivery_email')}>
          {({ id }) => (
            <div id={id}>
              <Button
                popup="dialog"
                refusal={isFixed ? t('manage.onlyBy', { name: t('group.administrators') }) : undefined}
                onPress={() => setOpen('address')}
              >
                {t('me.changeEmail')}
              </Button>
            </div>
          )}
        </SettingRow>
        <SettingRow label={t('me.password')} hint={t('me.passwordHint')}>
          {({ id }) => (
            <div id={id}>
              <Button popup="dialog" onPress={() => setOpen('password')}>
                {t('me.changePassword')}
              </Button>
            </div>
          )}
        </SettingRow>
        <SettingRow label={t('me.key')} hint={t('me.keyHint')}>
          {({ id }) => (
            <div id={id}>
              <Button icon="key" popup="dialog" onPress={() => setOpen('key')}>
                {t('me.showKey')}
              </Button>
            </div>
          )}
        </SettingRow>
        <SettingRow label={t('me.secondFactor')} hint={t('me.secondFactorHint')}>
          {({ id }) => (
            <div id={id}>
              <LinkButton icon="phone" href="/accounts/second-factor/setup/">
                {t('me.showSecondFactor')}
              </LinkButton>
            </div>
          )}
        </SettingRow>
        <SettingRow label={t('me.passkeys')} hint={t('me.passkeysHint')}>
          {({ id }) => (
            <div id={id}>
              <LinkButton icon="key" href="/accounts/passkeys/">
                {t('me.showPasskeys')}
              </LinkButton>
            </div>
          )}
        </SettingRow>
        <SettingRow label={t('me.sessions')} hint={t('me.sessionsHint')}>
          {({ id }) => (
            <div id={id}>
              <LinkButton icon="laptop" href="/accounts/sessions/">
                {t('me.showSessions')}
              </LinkButton>
            </div>
          )}
        </SettingRow>
      </SettingsSection>
      <KeysSection />
      <SettingsSection id="acc-privacy" title={t('me.privacy')}>
        {PRIVACY_FLAGS.map((name) => (
          <SwitchSetting
            key={name}
            label={t(`me.${name}`)}
            value={settings?.[name] === true}
            onSave={(isOn) => update({ [name]: isOn })}
          />
        ))}
        <SwitchSetting
          label={t('me.send_read_receipts')}
          value={settings?.send_read_receipts === true && !areReceiptsOff}
          fixedBy={areReceiptsOff ? t('group.administrators') : undefined}
          onSave={(send_read_receipts) => update({ send_read_receipts })}
        />
        <SelectSetting
          label={t('me.visibility')}
          value={String(settings?.email_address_visibility ?? 1)}
          options={([1, 2, 5, 3, 4] as const).map((one) => ({ value: String(one), label: t(`me.visibility.${one}`) }))}
          onSave={(value) => client.api.callAny('PATCH', '/settings', { email_address_visibility: Number(value) })}
        />
      </SettingsSection>
      <SettingsSection id="acc-data" title={t('me.data')}>
        <SettingRow label={t('me.dataLabel')} hint={t('me.dataHint')}>
          {({ id }) => (
            <div id={id}>
              <LinkButton icon="download" href="/personal_data">
                {t('me.downloadData')}
              </LinkButton>
            </div>
          )}
        </SettingRow>
        <SwitchSetting
          label={t('me.allow_private_data_export')}
          value={settings?.allow_private_data_export === true}
          onSave={(allow_private_data_export) => update({ allow_private_data_export })}
        />
      </SettingsSection>
      {Dialog && <Dialog onClose={() => setOpen(undefined)} />}
    </>
  );
}
