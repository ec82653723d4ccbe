import { type Client, useClient } from '../../../client/index.ts';
import type { Message } from '../../../messages/index.ts';
import { Dialog, ListSkeleton } from '../../../ui/index.ts';
import { t } from '../../../words/deferred.ts';
import { useAnswer } from '../../answer.ts';
import { type AskingProps, Fault } from './asking.tsx';

type Why = Awaited<ReturnType<typeof fetchWhy>>;

function fetchWhy({ api }: Client, message_id: Message['id']) {
  return api.call('GET', '/messages/{message_id}/notification', { message_id });
}

/** Explains by the server's rules why a message notifies the reader by push and by mail, and what prevents that now. */
export function WhyDialog({ message, onClose }: AskingProps) {
  const client = useClient();
  const { found: why, failure: fault } = useAnswer(() => fetchWhy(client, message.id), [client, message.id]);
  return (
    <Dialog title={t('menu.why')} onClose={onClose} class="why">
      <Fault text={fault} />
      {!why && fault === undefined && <ListSkeleton count={2} />}
      {why && <Reasons why={why} />}
      <p class="hint">
        <a href="#settings/notifications" onClick={onClose}>
          {t('why.change')}
        </a>
      </p>
    </Dialog>
  );
}

function Reasons({ why }: { readonly why: Why }) {
  const says = (reason: Why['push']) => (reason === null ? t('why.not') : t(`why.${reason}`));
  return (
    <>
      <dl>
        <dt>{t('why.push')}</dt>
        <dd>{says(why.push)}</dd>
        <dt>{t('why.email')}</dt>
        <dd>{says(why.email)}</dd>
      </dl>
      {why.kept_back.length > 0 && (
        <>
          <p>{t('why.back')}</p>
          <ul>
            {why.kept_back.map((what) => (
              <li key={what}>{t(`why.back.${what}`)}</li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}
