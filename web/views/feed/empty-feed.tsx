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

interface FeedFailedProps {
  readonly failure: Error;
  readonly title?: string;
  readonly onRetry: () => void;
}

/** The messages could not be fetched: why, and a way to try again. */
export function FeedFailed({ failure, title = t('feed.failed'), onRetry }: FeedFailedProps) {
  // An answer that lacks what it must have: what a program says of that helps nobody.
  const reason = failure instanceof TypeError ? t('feed.strange') : failure.message;
  return (
    <EmptyView title={title} text={`${reason}.`.replace(/\.+$/, '.')}>
      <Button onPress={onRetry}>{t('common.retry')}</Button>
    </EmptyView>
  );
}
