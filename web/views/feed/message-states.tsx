import type { ComponentChildren } from 'preact';
import { useEffect, useReducer } from 'preact/hooks';
import type { Clock } from '../../api/index.ts';
import { useClient } from '../../client/index.ts';
import { renderedText } from '../../rendered/index.ts';
import { Button, Icon } from '../../ui/index.ts';
import { t } from '../../words/index.ts';

interface PendingNoteProps {
  readonly isOffline?: boolean | undefined;
  /** Takes the message back while it has not been sent. */
  readonly onTakeBack?: (() => void) | undefined;
}

/** The note under a message being sent; shown only after a second. */
export function PendingNote({ isOffline = false, onTakeBack }: PendingNoteProps) {
  return (
    <p class="mark-row" role="status">
      <Icon name="clock" small />
      {t(isOffline ? 'message.waiting' : 'message.sending')}
      {onTakeBack && (
        <Button small look="ghost" icon="undo" onPress={onTakeBack}>
          {t('compose.takeBack')}
        </Button>
      )}
    </p>
  );
}

interface NoteProps {
  readonly icon: 'alert' | 'pencil';
  readonly text: string;
  readonly role?: 'alert';
  readonly onDiscard: () => void;
  /** The buttons before the one that discards. */
  readonly children: ComponentChildren;
}

/** A note under a message, and what can be done about it. */
function Note({ icon, text, role, onDiscard, children }: NoteProps) {
  return (
    <p class="mark-row" role={role}>
      <span class="why">
        <Icon name={icon} small />
        {text}
      </span>
      <span class="ways">
        {children}
        <Button small look="ghost" class="danger-text" onPress={onDiscard}>
          {t('common.discard')}
        </Button>
      </span>
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

/** The note under a message that the server refused: the reason, and buttons to retry, edit or discard. */
export function FailedNote({ reason, onRetry, onEdit, onDiscard }: FailedNoteProps) {
  return (
    <Note icon="alert" text={t('message.failed', { reason })} role="alert" onDiscard={onDiscard}>
      <Button small icon="retry" onPress={onRetry}>
        {t('common.retry')}
      </Button>
      <Button small look="ghost" onPress={onEdit}>
        {t('common.edit')}
      </Button>
    </Note>
  );
}

interface BegunNoteProps {
  readonly onResume: () => void;
  readonly onDiscard: () => void;
}

/** The note under a message whose changed text was not saved: buttons to go on with it, or to discard it. */
export function BegunNote({ onResume, onDiscard }: BegunNoteProps) {
  return (
    <Note icon="pencil" text={t('edit.begun')} onDiscard={onDiscard}>
      <Button small onPress={onResume}>
        {t('edit.resume')}
      </Button>
    </Note>
  );
}

interface MutedMessageProps {
  readonly id: string;
  readonly time: string;
  readonly onShow: () => void;
}

/** The line in place of a message of a muted person. */
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

/** A message that failed to be drawn: only its content, if there is any. */
export function Unshowable({ id }: { readonly id: number }) {
  const content = useClient().messages.table.get(id)?.content;
  return (
    <article class="msg" tabIndex={-1} aria-label={t('message.unshowable')} data-message={id}>
      <div class="side" />
      <div class="grow">
        <p class="mark-row">{t('message.unshowable')}</p>
        {typeof content === 'string' && <p class="as-typed">{renderedText(content)}</p>}
      </div>
    </article>
  );
}

interface DeletedMessageProps {
  readonly id: string;
  /** When the deletion is sent, in milliseconds since 1970. */
  readonly at: number;
  readonly clock: Clock;
  readonly onUndo: () => void;
}

/** A message that will be deleted, while that can be undone. */
export function DeletedMessage({ id, at, clock, onUndo }: DeletedMessageProps) {
  const [, tick] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    const stop = new AbortController();
    void (async () => {
      for (; !stop.signal.aborted; tick(undefined)) await clock.sleep(1000, stop.signal);
    })();
    return () => stop.abort();
  }, [clock]);
  const text = t('message.deleting', { count: Math.max(0, Math.ceil((at - clock.now()) / 1000)) });
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

/** A button that unfolds a long message. */
export function FoldButton({ isOpen, onToggle }: FoldProps) {
  return (
    <button class="btn small more-text" type="button" aria-expanded={isOpen} onClick={onToggle}>
      <Icon name="chev" small />
      {t(isOpen ? 'message.showLess' : 'message.showMore')}
    </button>
  );
}
