import { useState } from 'preact/hooks';
import { useClient } from '../../../client/index.ts';
import { Dialog } from '../../../ui/index.ts';
import { Field, Select, TextArea } from '../../../ui/field.tsx';
import { t } from '../../../words/deferred.ts';
import { RenderedBody } from '../../rendered-body.tsx';
import { useTyped } from '../../typed.tsx';
import { AskingFoot, type AskingProps, useAsking } from './asking.tsx';

type Reason = 'spam' | 'harassment' | 'inappropriate' | 'norms' | 'other';
const REASONS: readonly Reason[] = ['spam', 'harassment', 'inappropriate', 'norms', 'other'];

/** A dialog that reports a message to the organization's moderators. See protocol/reactions#reports. */
export function ReportDialog({ message, onClose }: AskingProps) {
  const { api } = useClient();
  const [reason, setReason] = useState<Reason>('spam');
  const form = `report-${message.id}`;
  const [description, setDescription] = useTyped(form, 'words', '');
  const { fault, isBusy, run } = useAsking(onClose, form);
  const options = REASONS.map((value) => ({ value, label: t(`report.${value}`) }));
  const send = () =>
    run(() => {
      const report = { message_id: message.id, report_type: reason, description };
      return api.call('POST', '/messages/{message_id}/report', report);
    });
  return (
    <Dialog
      title={t('report.title')}
      onClose={onClose}
      onSubmit={send}
      foot={<AskingFoot label={t('report.send')} isBusy={isBusy} form={form} onClose={onClose} />}
    >
      <p>{t('report.hint')}</p>
      <blockquote class="clip-lines">
        <RenderedBody html={message.content} />
      </blockquote>
      <Field label={t('report.reason')}>
        {(names) => <Select {...names} options={options} value={reason} onChange={setReason} />}
      </Field>
      <Field label={t('report.words')} error={fault}>
        {(names) => <TextArea {...names} rows={3} maxLength={1000} value={description} onText={setDescription} />}
      </Field>
    </Dialog>
  );
}
