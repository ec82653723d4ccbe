import { IconButton } from '../../ui/index.ts';
import { t } from '../../words/index.ts';

interface MessageActionsProps {
  readonly isStarred: boolean;
  /** Absent actions are those that the reader may not take. */
  readonly onReact?: ((anchor: HTMLElement) => void) | undefined;
  readonly onQuote?: (() => void) | undefined;
  readonly onStar?: (() => void) | undefined;
  readonly onEdit?: (() => void) | undefined;
  readonly onMenu: (anchor: HTMLElement) => void;
}

/** What can be done with a message, on its upper edge; each has a key. */
export function MessageActions({ isStarred, onReact, onQuote, onStar, onEdit, onMenu }: MessageActionsProps) {
  return (
    <div class="actions" role="toolbar" aria-label={t('message.actions')}>
      {onReact && <IconButton icon="smile" label={t('message.react')} keys=":" onPress={withAnchor(onReact)} />}
      {onQuote && <IconButton icon="reply" label={t('message.quote')} keys=">" onPress={onQuote} />}
      {onStar && (
        <IconButton
          icon="star"
          filled={isStarred}
          pressed={isStarred}
          label={t(isStarred ? 'message.unstar' : 'message.star')}
          keys="*"
          onPress={onStar}
        />
      )}
      {onEdit && <IconButton icon="pencil" label={t('message.edit')} keys="e" onPress={onEdit} />}
      <IconButton icon="more" label={t('message.more')} keys="i" popup="menu" onPress={withAnchor(onMenu)} />
    </div>
  );
}

function withAnchor(run: (anchor: HTMLElement) => void) {
  return (event: MouseEvent) => {
    if (event.currentTarget instanceof HTMLElement) run(event.currentTarget);
  };
}
