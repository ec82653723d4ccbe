import { CallFailure } from '../../api/index.ts';
import { conversationIn, type Narrow, type Term } from '../../messages/index.ts';
import { type Client, sentenceOf, useClient } from '../../client/index.ts';
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
function hasStrangers(client: Client, conversation: Conversation | undefined): boolean {
  return conversation !== undefined && 'people' in conversation && isStrange(client, conversation.people);
}

/** Whether a conversation is with somebody unknown, and nothing is known of it either. */
export function isNobody(client: Client, narrow: Narrow): boolean {
  return hasStrangers(client, conversationIn(narrow, client.model.me)) && !client.messages.window(narrow).isKnown.value;
}

function isStrange({ model }: Client, operand: Term['operand']): boolean {
  const ids = typeof operand === 'object' ? operand : [Number(operand)];
  return ids.some((id) => model.people.table.get(id) === undefined);
}

/** Operators whose operand names people. */
const OF_PEOPLE: ReadonlySet<string> = new Set(['sender', 'dm', 'dm-including']);

interface FeedRefusedProps {
  readonly narrow: Narrow;
  readonly failure: Error;
  readonly onRetry: () => void;
}

/** Stands for a feed that could not be fetched, and says why in the client's words where the address is the reason. */
export function FeedRefused({ narrow, failure, onRetry }: FeedRefusedProps) {
  const client = useClient();
  const isRefused = failure instanceof CallFailure && failure.kind !== 'away';
  if (isRefused && client.model.me === 0) return <LogInToSee />;
  const isOfStrangers = narrow.some(({ operator, operand }) => OF_PEOPLE.has(operator) && isStrange(client, operand));
  if (isOfStrangers && isRefused) return <NobodyThere />;
  if (isRefused && narrow.some(({ operand }) => operand === '')) return <EmptyFeed narrow={narrow} />;
  return (
    <div class="feed-wrap">
      <FeedFailed failure={failure} onRetry={onRetry} />
    </div>
  );
}

/** For a visitor, who reads web-public channels only. */
function LogInToSee() {
  return (
    <div class="feed-wrap">
      <EmptyView title={t('visitor.logInToSee')} text={t('visitor.noAccountHint')} />
    </div>
  );
}

/** The same page for a person who does not exist and for one whom the reader may not see. */
function NobodyThere() {
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
  const own = failure instanceof TypeError ? t('feed.strange') : failure.message;
  const reason = failure instanceof CallFailure ? sentenceOf(failure) : own;
  return (
    <EmptyView title={title} text={`${reason}.`.replace(/\.+$/, '.')}>
      <Button onPress={onRetry}>{t('common.retry')}</Button>
    </EmptyView>
  );
}
