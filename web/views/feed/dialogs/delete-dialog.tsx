import { useClient } from '../../../client/index.ts';
import { Dialog } from '../../../ui/index.ts';
import { t } from '../../../words/index.ts';
import { RenderedBody } from '../../rendered-body.tsx';
import { AskingFoot, type AskingProps, Fault, useAsking } from './asking.tsx';

/** Asks before a message is deleted for everybody: the API knows no way back. */
export function DeleteDialog({ message, onClose }: AskingProps) {
  const { api } = useClient();
  const { fault, isBusy, run } = useAsking(onClose);
  return (
    <Dialog
      title={t('delete.title')}
      onClose={onClose}
      onSubmit={() => run(() => api.call('DELETE', '/messages/{message_id}', { message_id: message.id }))}
      foot={<AskingFoot label={t('common.delete')} isBad isBusy={isBusy} onClose={onClose} />}
    >
      <p>{t('delete.forAll')}</p>
      <blockquote class="clip-lines">
        <RenderedBody html={message.content} />
      </blockquote>
      <Fault text={fault} />
    </Dialog>
  );
}
