import type { Narrow } from '../../messages/index.ts';
import { useClient } from '../../client/index.ts';
import { EmptyView } from '../../ui/index.ts';
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
