import type { Narrow } from '../../messages/index.ts';
import { type Client, useClient } from '../../client/index.ts';
import type { Conversation } from '../../model/index.ts';
import { Button, EmptyView, LinkButton } from '../../ui/index.ts';
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

/** Whether a conversation names somebody the reader does not know. Some such conversations can be read: ask that first. */
export function hasStrangers({ model }: Client, conversation: Conversation | undefined): boolean {
  if (conversation === undefined || !('people' in conversation)) return false;
  return conversation.people.some((id) => model.people.table.get(id) === undefined);
}

/** The same for who is not there and for whom one may not know. */
export function NobodyThere() {
  return (
    <EmptyView title={t('missing.person')} text={t('missing.personHint')}>
      <LinkButton href="#inbox">{t('missing.inbox')}</LinkButton>
    </EmptyView>
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
