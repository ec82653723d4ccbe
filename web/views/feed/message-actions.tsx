import { IconButton, withAnchor } from '../../ui/index.ts';
import { t } from '../../words/index.ts';

/** The quick actions on a message; those that the reader may not take are absent. */
export interface MessageActing {
  readonly onReact?: ((anchor: HTMLElement) => void) | undefined;
  readonly onQuote?: (() => void) | undefined;
  readonly onStar?: (() => void) | undefined;
  readonly onEdit?: (() => void) | undefined;
}

interface MessageActionsProps extends MessageActing {
  readonly isStarred: boolean;
  readonly onMenu: (anchor: HTMLElement) => void;
}

/** The toolbar on the upper edge of a message; each action has a key. */
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
