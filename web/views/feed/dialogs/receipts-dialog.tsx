import { conversationHash } from '../../../addresses/index.ts';
import { useClient } from '../../../client/index.ts';
import { directWith } from '../../../model/index.ts';
import { Avatar, Dialog, ListSkeleton } from '../../../ui/index.ts';
import { compareNames } from '../../../words/index.ts';
import { t } from '../../../words/deferred.ts';
import { useAnswer } from '../../answer.ts';
import { faceOf } from '../../shown.ts';
import { type AskingProps, Fault } from './asking.tsx';

/** The people who have read a message, as far as they share that. */
export function ReceiptsDialog({ message, onClose }: AskingProps) {
  const client = useClient();
  const { api, model, names } = client;
  const { found: readers, failure: fault } = useAnswer(
    async () =>
      (await api.call('GET', '/messages/{message_id}/read_receipts', { message_id: message.id })).user_ids.map(Number),
    [api, message.id],
  );
  const faces = (readers ?? []).map((id) => faceOf(client, id)).toSorted((a, b) => compareNames(a.name, b.name));
  const title = readers === undefined ? t('menu.receipts') : t('menu.seenBy', { count: readers.length });
  return (
    <Dialog title={title} onClose={onClose} class="receipts">
      <Fault text={fault} />
      {!readers && fault === undefined && <ListSkeleton count={3} />}
      <ul>
        {faces.map((face) => (
          <li class="person" key={face.id}>
            <a href={conversationHash(directWith([face.id], model.me), names)} onClick={onClose}>
              <Avatar face={face} size={28} presence={model.presences.of(face.id)} />
              <span class="name clip" dir="auto">
                {face.name}
              </span>
            </a>
          </li>
        ))}
      </ul>
      <p class="hint">{t('receipts.hint')}</p>
    </Dialog>
  );
}
