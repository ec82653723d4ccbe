import { Button, Icon } from '../../ui/index.ts';
import { t } from '../../words/index.ts';

/** Under one's own words that are on their way; shown only after a second. */
export function PendingNote({ isOffline = false }: { readonly isOffline?: boolean }) {
  return (
    <p class="mark-row" role="status">
      <Icon name="clock" small />
      {t(isOffline ? 'message.waiting' : 'message.sending')}
    </p>
  );
}

interface FailedNoteProps {
  /** The server's own sentence. */
  readonly reason: string;
  readonly onRetry: () => void;
  readonly onEdit: () => void;
  readonly onDiscard: () => void;
}

/** Under words that the server refused: why, and three ways out. */
export function FailedNote({ reason, onRetry, onEdit, onDiscard }: FailedNoteProps) {
  return (
    <p class="mark-row" role="alert">
      <span class="why">
        <Icon name="alert" small />
        {t('message.failed', { reason })}
      </span>
      <span class="ways">
        <Button small icon="retry" onPress={onRetry}>
          {t('common.retry')}
        </Button>
        <Button small look="ghost" onPress={onEdit}>
          {t('common.edit')}
        </Button>
        <Button small look="ghost" class="danger-text" onPress={onDiscard}>
          {t('common.discard')}
        </Button>
      </span>
    </p>
  );
}

interface MutedMessageProps {
  readonly id: string;
  readonly time: string;
  readonly onShow: () => void;
}

/** A message of somebody whom the reader muted: one line. */
export function MutedMessage({ id, time, onShow }: MutedMessageProps) {
  const text = t('message.muted', { time });
  return (
    <article class="msg muted-msg" tabIndex={-1} aria-label={text} data-message={id}>
      <div class="side" />
      <p class="mark-row">
        <Icon name="mute" small />
        <span>{text}</span>
        <Button small look="ghost" onPress={onShow}>
          {t('message.mutedShow')}
        </Button>
      </p>
    </article>
  );
}

interface DeletedMessageProps {
  readonly id: string;
  /** Seconds until the call goes out. */
  readonly seconds: number;
  readonly onUndo: () => void;
}

/** A message that is about to be deleted, as long as that can be taken back. */
export function DeletedMessage({ id, seconds, onUndo }: DeletedMessageProps) {
  const text = t('message.deleting', { count: seconds });
  return (
    <article class="msg gone" tabIndex={-1} aria-label={text} data-message={id}>
      <div class="side" />
      <p class="mark-row" role="status">
        <Icon name="trash" small />
        <span role="timer">{text}</span>
        <Button small look="ghost" icon="undo" onPress={onUndo}>
          {t('common.undo')}
        </Button>
      </p>
    </article>
  );
}

interface FoldProps {
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}

/** Opens a message that is too long to be shown whole. */
export function FoldButton({ isOpen, onToggle }: FoldProps) {
  return (
    <button class="btn small more-text" type="button" aria-expanded={isOpen} onClick={onToggle}>
      <Icon name="chev" small />
      {t(isOpen ? 'message.showLess' : 'message.showMore')}
    </button>
  );
}
