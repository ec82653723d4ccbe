import { useState } from 'preact/hooks';
import { showNotice, useClient } from '../../../client/index.ts';
import { Dialog } from '../../../ui/index.ts';
import { Field, TextInput } from '../../../ui/field.tsx';
import { t } from '../../../words/deferred.ts';
import { timeStyle } from '../../shown.ts';
import { shownTime, TimeField } from '../../time-field.tsx';
import { useTyped } from '../../typed.tsx';
import { timeChoices } from '../../when.ts';
import { AskingFoot, type AskingProps, useAsking } from './asking.tsx';

/** A dialog that sets a reminder of a message. See protocol/saved#reminders. */
export function RemindDialog({ message, onClose }: AskingProps) {
  const client = useClient();
  const style = timeStyle(client);
  const now = client.clock.now() / 1000;
  const [at, setAt] = useState(() => timeChoices(now)[0]?.at ?? now + 1800);
  const form = `remind-${message.id}`;
  const [note, setNote] = useTyped(form, 'note', '');
  const { fault, isBusy, run } = useAsking(() => {
    const time = shownTime(at, now, style);
    showNotice(client, t('remind.done', { time }), false);
    onClose();
  }, form);
  const remind = () =>
    run(() =>
      client.api.call('POST', '/reminders', { message_id: message.id, scheduled_delivery_timestamp: at, note }),
    );
  return (
    <Dialog
      title={t('remind.title')}
      onClose={onClose}
      onSubmit={remind}
      foot={
        <AskingFoot
          label={t('remind.do')}
          isBusy={isBusy}
          refusal={at <= now ? t('when.past') : undefined}
          form={form}
          onClose={onClose}
        />
      }
    >
      <TimeField at={at} onAt={setAt} now={now} style={style} error={fault} />
      <Field label={t('remind.note')}>
        {(names) => <TextInput {...names} value={note} maxLength={1000} onText={setNote} />}
      </Field>
    </Dialog>
  );
}
