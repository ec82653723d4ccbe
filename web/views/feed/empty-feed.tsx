import type { Narrow } from '../../messages/index.ts';
import { useClient } from '../../client/index.ts';
import { Button, EmptyView } from '../../ui/index.ts';
import { t } from '../../words/index.ts';
import { feedKind } from './kind.ts';

/** Says what would be here. */
export function EmptyFeed({ narrow }: { readonly narrow: Narrow }) {
  const kind = feedKind(narrow, useClient().model.me);
  return (
    <div class="feed-wrap">
      <EmptyView title={t(`empty.${kind}`)} text={t(`empty.${kind}Hint`)} />
    </div>
  );
}

/** The messages could not be fetched: why, and a way to try again. */
export function FeedFailed({ failure, onRetry }: { readonly failure: Error; readonly onRetry: () => void }) {
  return (
    <EmptyView title={t('feed.failed')} text={`${failure.message}.`.replace(/\.+$/, '.')}>
      <Button onPress={onRetry}>{t('common.retry')}</Button>
    </EmptyView>
  );
}
