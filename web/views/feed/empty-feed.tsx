import type { Narrow } from '../../messages/index.ts';
import { type Client, useClient } from '../../client/index.ts';
import type { Conversation } from '../../model/index.ts';
import { Button, EmptyView, LinkButton } from '../../ui/index.ts';
import { t } from '../../words/index.ts';
import { feedKind } from './kind.ts';

/** Says what a feed without messages would contain. */
export function EmptyFeed({ narrow }: { readonly narrow: Narrow }) {
  const kind = feedKind(narrow, useClient().model.me);
  return (
    <div class="feed-wrap">
      <EmptyView title={t(`empty.${kind}`)} text={t(`empty.${kind}Hint`)} />
    </div>
  );
}

/**
 * Whether a direct conversation names somebody whom the reader may not see. Some of these can be read, so its messages
 * are requested first.
 */
export function hasStrangers({ model }: Client, conversation: Conversation | undefined): boolean {
  if (conversation === undefined || !('people' in conversation)) return false;
  return conversation.people.some((id) => model.people.table.get(id) === undefined);
}

/** The same page for a person who does not exist and for one whom the reader may not see. */
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

/** Says why the messages could not be fetched, with a button to try again. */
export function FeedFailed({ failure, title = t('feed.failed'), onRetry }: FeedFailedProps) {
  // A TypeError means that the reply lacks a required field; its text would help nobody.
  const reason = failure instanceof TypeError ? t('feed.strange') : failure.message;
  return (
    <EmptyView title={title} text={`${reason}.`.replace(/\.+$/, '.')}>
      <Button onPress={onRetry}>{t('common.retry')}</Button>
    </EmptyView>
  );
}
