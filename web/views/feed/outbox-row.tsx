import { conversationHash } from '../../addresses/index.ts';
import { useClient } from '../../client/index.ts';
import type { OutboxEntry } from '../../sync/index.ts';
import { t, timeOfDay } from '../../words/index.ts';
import { faceOf, timeStyle } from '../shown.ts';
import { MessageRow } from './message-row.tsx';
import { FailedNote, PendingNote } from './message-states.tsx';

/** Unsent messages while the messages before them are unknown: at the bottom, outside of the feed. */
export function DetachedOutbox({ entries }: { readonly entries: readonly OutboxEntry[] }) {
  if (entries.length === 0) return null;
  return (
    <section class="feed detached" aria-label={t('feed.onTheirWay')} tabIndex={0}>
      <p class="note">{t('feed.afterWhatIsMissing')}</p>
      {entries.map((entry) => (
        <OutboxRow key={entry.localId} entry={entry} />
      ))}
    </section>
  );
}

/** A message of the outbox. */
export function OutboxRow({ entry }: { readonly entry: OutboxEntry }) {
  const client = useClient();
  const { outbox, model, drafts, clock } = client;
  const isOld = clock.now() - entry.createdAt > 1000;
  const isOffline = client.sync.connection.value.is === 'away';
  const takeBack = (keep: boolean) =>
    void outbox.discard(entry.localId).then((gone) => {
      if (gone && keep) drafts.insert(gone.conversation, gone.content);
    });
  const style = timeStyle(client);
  const seconds = entry.createdAt / 1000;
  return (
    <MessageRow
      id={entry.localId}
      sender={faceOf(client, model.me)}
      time={{ text: timeOfDay(seconds, style), iso: new Date(entry.createdAt).toISOString(), full: '' }}
      href={conversationHash(entry.conversation, client.names)}
      isFirst
      state={entry.status === 'refused' ? 'failed' : 'pending'}
      foot={
        entry.status === 'refused' ? (
          <FailedNote
            reason={entry.reason ?? ''}
            onRetry={() => void outbox.retry(entry.localId)}
            onEdit={() => takeBack(true)}
            onDiscard={() => takeBack(false)}
          />
        ) : (
          (isOld || isOffline) && (
            <PendingNote
              isOffline={isOffline}
              onTakeBack={entry.status === 'waiting' ? () => takeBack(true) : undefined}
            />
          )
        )
      }
    >
      <p class="as-typed">{entry.content}</p>
    </MessageRow>
  );
}
