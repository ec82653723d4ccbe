import { useState } from 'preact/hooks';
import { CallFailure } from '../../api/index.ts';
import { useClient } from '../../client/index.ts';
import type { Message } from '../../messages/index.ts';
import { Button, Dialog } from '../../ui/index.ts';
import { t } from '../../words/index.ts';
import { RenderedBody } from '../rendered-body.tsx';

interface DeleteDialogProps {
  readonly message: Message;
  readonly onClose: () => void;
}

/** Asks before a message is deleted for everybody: the API knows no way back. */
export function DeleteDialog({ message, onClose }: DeleteDialogProps) {
  const { api } = useClient();
  const [fault, setFault] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const remove = async () => {
    setBusy(true);
    try {
      await api.call('DELETE', '/messages/{message_id}', { message_id: message.id });
      onClose();
    } catch (error) {
      if (!(error instanceof CallFailure)) throw error;
      setFault(error.message);
      setBusy(false);
    }
  };
  return (
    <Dialog
      title={t('delete.title')}
      onClose={onClose}
      onSubmit={() => void remove()}
      foot={
        <>
          <Button look="danger" submit busy={isBusy}>
            {t('common.delete')}
          </Button>
          <Button onPress={onClose}>{t('common.cancel')}</Button>
        </>
      }
    >
      <p>{t('delete.forAll')}</p>
      <blockquote class="clip-lines">
        <RenderedBody html={message.content} />
      </blockquote>
      {fault !== undefined && (
        <p class="err" role="alert">
          {fault}
        </p>
      )}
    </Dialog>
  );
}
