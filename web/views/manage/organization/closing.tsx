import { useState } from 'preact/hooks';
import { useClient } from '../../../client/index.ts';
import { SettingsSection } from '../../../settings/index.ts';
import { Button } from '../../../ui/index.ts';
import { Field, Select, TextInput } from '../../../ui/field.tsx';
import { t } from '../../../words/deferred.ts';
import { FormDialog } from '../list-page.tsx';

/** Days until the data are deleted that are offered; those below the server's minimum are left out. */
const DELETION_DAYS: readonly number[] = [14, 30, 90, 365];
const NEVER = 'never';

/** Deactivates the organization; for owners. */
export function Closing() {
  const [isAsking, setAsking] = useState(false);
  return (
    <SettingsSection id="org-closing" title={t('closing.title')} lede={t('closing.lede')}>
      <div class="toolbar">
        <Button look="danger" popup="dialog" onPress={() => setAsking(true)}>
          {t('closing.way')}
        </Button>
      </div>
      {isAsking && <ClosingDialog onClose={() => setAsking(false)} />}
    </SettingsSection>
  );
}

function ClosingDialog({ onClose }: { readonly onClose: () => void }) {
  const { api, model } = useClient();
  const [typed, setTyped] = useState('');
  const [deletion, setDeletion] = useState<string>(NEVER);
  const name = model.facts.get('realm_name') ?? '';
  const least = model.facts.get('server_min_deactivated_realm_deletion_days') ?? 0;
  const offered = DELETION_DAYS.filter((days) => days >= least);
  const close = () =>
    api.call('POST', '/realm/deactivate', {
      deletion_delay_days: deletion === NEVER ? null : Number(deletion),
    });
  return (
    <FormDialog
      title={t('closing.ask', { name })}
      way={t('closing.way')}
      isDanger
      refusal={typed.trim() === name.trim() ? undefined : t('closing.typeFirst')}
      onSend={close}
      onClose={onClose}
    >
      <p>{t('closing.hint')}</p>
      <Field label={t('closing.data')}>
        {(names) => (
          <Select
            {...names}
            options={[
              { value: NEVER, label: t('closing.keep') },
              ...offered.map((days) => ({ value: String(days), label: t('closing.delete', { count: days }) })),
            ]}
            value={deletion}
            onChange={setDeletion}
          />
        )}
      </Field>
      <Field label={t('closing.type', { name })}>
        {(names) => <TextInput {...names} required autocomplete="off" value={typed} onText={setTyped} />}
      </Field>
    </FormDialog>
  );
}
