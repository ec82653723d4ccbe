import { useState } from 'preact/hooks';
import type { OutputOf } from '../../../api/index.ts';
import { useClient } from '../../../client/index.ts';
import { Icon, LinkButton, Tag } from '../../../ui/index.ts';
import { Field, Select } from '../../../ui/field.tsx';
import { t } from '../../../words/deferred.ts';
import { useAnswer } from '../../answer.ts';
import { dayOf, faceOf } from '../../shown.ts';
import { Awaited } from '../awaited.tsx';
import { adminsOnly, FormDialog, ListTools, Removal } from '../list-page.tsx';

type Export = OutputOf<'GET', '/export/realm'>['exports'][number];
type ExportType = 'public' | 'full_with_consent';

/** Exports of the organization: a button to request one, and the list, newest first. */
export function ExportsPage() {
  const client = useClient();
  const [isAdding, setAdding] = useState(false);
  const refusal = adminsOnly(client.model.facts.get('is_admin'));
  return (
    <>
      <ListTools lede={t('exports.lede')} add={t('exports.add')} refusal={refusal} onAdd={() => setAdding(true)} />
      {refusal === undefined && <Exports />}
      {isAdding && <AddExport onClose={() => setAdding(false)} />}
    </>
  );
}

function Exports() {
  const client = useClient();
  const answer = useAnswer(async () => (await client.api.call('GET', '/export/realm', {})).exports, [client]);
  // Events carry the whole list, which is newer than the reply.
  const exports = (client.model.exports.value ?? answer.found)?.toReversed();
  return (
    <>
      <Awaited id="exports-error" answer={answer} count={2} />
      {exports?.length === 0 && <p class="hint">{t('exports.none')}</p>}
      {exports && exports.length > 0 && (
        <ul class="rows">
          {exports.map((one) => (
            <ExportRow key={one.id} one={one} onDone={answer.again} />
          ))}
        </ul>
      )}
    </>
  );
}

function ExportRow({ one, onDone }: { readonly one: Export; readonly onDone: () => Promise<void> }) {
  const client = useClient();
  const name = t('exports.of', { day: dayOf(client, one.export_time) });
  const remove = async () => {
    await client.api.call('DELETE', '/export/realm/{export_id}', { export_id: one.id });
    await onDone();
  };
  return (
    <li>
      <Icon name="download" />
      <span class="grow">
        <b>{name}</b>
        <small dir="auto">
          {[t(`exports.${one.export_type}`), t('exports.by', { name: faceOf(client, one.acting_user_id).name })].join(
            ' · ',
          )}
        </small>
      </span>
      {one.pending && <Tag>{t('exports.pending')}</Tag>}
      {one.failed_timestamp !== null && <Tag>{t('exports.failed')}</Tag>}
      {one.deleted_timestamp !== null && (
        <small class="hint">{t('exports.deleted', { day: dayOf(client, one.deleted_timestamp) })}</small>
      )}
      {one.export_url !== null && (
        <>
          {/* At the address that the session is for, which may be another name of the server. */}
          <LinkButton small href={new URL(one.export_url).pathname}>
            {t('exports.download')}
          </LinkButton>
          <Removal name={name} act="delete" hint={t('exports.deleteHint')} onRemove={remove} />
        </>
      )}
    </li>
  );
}

function AddExport({ onClose }: { readonly onClose: () => void }) {
  const { api } = useClient();
  const [export_type, setType] = useState<ExportType>('full_with_consent');
  return (
    <FormDialog
      title={t('exports.add')}
      way={t('exports.way')}
      onSend={() => api.call('POST', '/export/realm', { export_type })}
      onClose={onClose}
    >
      <Field label={t('exports.what')} hint={t(`exports.${export_type}Hint`)}>
        {(names) => (
          <Select
            {...names}
            options={(['full_with_consent', 'public'] as const).map((value) => ({
              value,
              label: t(`exports.${value}`),
            }))}
            value={export_type}
            onChange={setType}
          />
        )}
      </Field>
      <p class="hint">{t('exports.told')}</p>
    </FormDialog>
  );
}
