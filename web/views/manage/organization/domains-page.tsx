import { useState } from 'preact/hooks';
import { useClient } from '../../../client/index.ts';
import { Icon } from '../../../ui/index.ts';
import { Checkbox, TextInput } from '../../../ui/field.tsx';
import { t } from '../../../words/deferred.ts';
import { useTyped } from '../../typed.tsx';
import { FormField } from '../form-field.tsx';
import { FormDialog, ListTools, Removal } from '../list-page.tsx';
import { SwitchSetting } from '../saving.tsx';

/** Whose e-mail addresses may join: those of some domains, or all. */
export function DomainsPage() {
  const { model, api } = useClient();
  const { facts } = model;
  const [isAdding, setAdding] = useState(false);
  const all = facts.get('realm_domains') ?? [];
  const isOwner = facts.get('is_owner') === true;
  const refusal = isOwner ? undefined : t('manage.onlyBy', { name: t('group.owners') });
  return (
    <>
      <ListTools lede={t('domains.lede')} add={t('domains.add')} refusal={refusal} onAdd={() => setAdding(true)} />
      <SwitchSetting
        label={t('domains.restricted')}
        hint={t('domains.restrictedHint')}
        value={facts.get('realm_emails_restricted_to_domains') === true}
        fixedBy={isOwner ? undefined : t('group.owners')}
        onSave={(emails_restricted_to_domains) => api.call('PATCH', '/realm', { emails_restricted_to_domains })}
      />
      {all.length === 0 && <p class="hint">{t('domains.none')}</p>}
      <ul class={all.length > 0 ? 'rows wide' : undefined}>
        {all.map(({ domain, allow_subdomains }) => (
          <li key={domain}>
            <Icon name="mail" />
            <span class="grow">
              <SwitchSetting
                label={domain}
                hint={t('domains.subdomains')}
                value={allow_subdomains}
                fixedBy={isOwner ? undefined : t('group.owners')}
                onSave={(isOn) => api.call('PATCH', '/realm/domains/{domain}', { domain, allow_subdomains: isOn })}
              />
            </span>
            {isOwner && (
              <Removal
                name={domain}
                hint={t('domains.removeHint')}
                onRemove={() => api.call('DELETE', '/realm/domains/{domain}', { domain })}
              />
            )}
          </li>
        ))}
      </ul>
      {isAdding && <AddDomain onClose={() => setAdding(false)} />}
    </>
  );
}

function AddDomain({ onClose }: { readonly onClose: () => void }) {
  const { api } = useClient();
  const [domain, setDomain] = useTyped('domain', 'domain', '');
  const [allow_subdomains, setSubdomains] = useTyped<boolean>('domain', 'subdomains', false);
  return (
    <FormDialog
      title={t('domains.add')}
      form="domain"
      onSend={() => api.call('POST', '/realm/domains', { domain: domain.trim(), allow_subdomains })}
      onClose={onClose}
    >
      <FormField of="domain" label={t('domains.domain')} hint={t('domains.domainHint')}>
        {(names) => <TextInput {...names} value={domain} onText={setDomain} autocomplete="off" />}
      </FormField>
      <Checkbox label={t('domains.subdomains')} checked={allow_subdomains} onChange={setSubdomains} />
    </FormDialog>
  );
}
