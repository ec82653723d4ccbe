import { useClient } from '../../../client/index.ts';
import { FixedValue, SettingRow, SettingsSection } from '../../../settings/index.ts';
import { LinkButton } from '../../../ui/index.ts';
import { t } from '../../../words/deferred.ts';
import { LanguageSetting } from '../me/language-setting.tsx';
import { SelectSetting, TextSetting } from '../saving.tsx';
import { Closing } from './closing.tsx';
import { PicturesSection } from './pictures-section.tsx';

/** Days for which entries of the audit log can be kept; 0: for ever. */
const RETENTION_DAYS: readonly string[] = ['0', '90', '365', '730'];

/** A link to the audit log, a page of the server's, and for how long its entries are kept. */
function AuditLog() {
  const { model, api } = useClient();
  const days = String(model.facts.get('realm_audit_log_retention_days') ?? 0);
  const offered = RETENTION_DAYS.some((one) => one === days) ? RETENTION_DAYS : [...RETENTION_DAYS, days];
  return (
    <SettingsSection id="org-audit" title={t('org.audit')}>
      <SettingRow label={t('org.auditLabel')} hint={t('org.auditHint')}>
        {({ id }) => (
          <div id={id}>
            <LinkButton icon="search" href="/accounts/audit-log/">
              {t('org.openAudit')}
            </LinkButton>
          </div>
        )}
      </SettingRow>
      <SelectSetting
        label={t('org.auditKept')}
        value={days}
        options={offered.map((value) => ({
          value,
          label: value === '0' ? t('org.forEver') : t('login.days', { count: Number(value) }),
        }))}
        onSave={(value) => api.callAny('PATCH', '/realm', { audit_log_retention_days: Number(value) })}
      />
    </SettingsSection>
  );
}

/** The name and description of the organization. */
export function OrganizationProfile() {
  const client = useClient();
  const { facts } = client.model;
  const fixedBy = facts.get('is_admin') === true ? undefined : t('group.administrators');
  const channels = [...client.model.channels.table.all].filter(([, { channel }]) => !channel.is_archived);
  return (
    <>
      <div class="set-sec">
        <TextSetting
          label={t('org.name')}
          hint={t('org.nameHint')}
          value={facts.get('realm_name') ?? ''}
          maxLength={40}
          fixedBy={fixedBy}
          onSave={(name) => client.api.call('PATCH', '/realm', { name })}
        />
        <TextSetting
          label={t('org.description')}
          hint={t('org.descriptionHint')}
          value={facts.get('realm_description') ?? ''}
          rows={4}
          maxLength={1000}
          fixedBy={fixedBy}
          onSave={(description) => client.api.call('PATCH', '/realm', { description })}
        />
        <SelectSetting
          label={t('org.announcements')}
          hint={t('org.announcementsHint')}
          value={String(facts.get('realm_new_stream_announcements_stream_id') ?? -1)}
          fixedBy={fixedBy}
          options={[
            { value: '-1', label: t('org.noChannel') },
            ...channels.map(([id, { channel }]) => ({ value: String(id), label: channel.name })),
          ]}
          onSave={(id) => client.api.call('PATCH', '/realm', { new_stream_announcements_stream_id: Number(id) })}
        />
        <LanguageSetting
          label={t('org.language')}
          hint={t('org.languageHint')}
          value={facts.get('realm_default_language')}
          fixedBy={fixedBy}
          onSave={(default_language) => client.api.call('PATCH', '/realm', { default_language })}
        />
        <SettingRow label={t('org.address')}>
          {() => <FixedValue value={location.origin} by={t('org.operator')} />}
        </SettingRow>
        {facts.get('is_owner') === true && (
          <SettingRow label={t('org.firstSteps')} hint={t('org.firstStepsHint')}>
            {({ id }) => (
              <div id={id}>
                <LinkButton href="/welcome/">{t('org.openFirstSteps')}</LinkButton>
              </div>
            )}
          </SettingRow>
        )}
      </div>
      <PicturesSection />
      {facts.get('is_owner') === true && (
        <>
          <AuditLog />
          <Closing />
        </>
      )}
    </>
  );
}
