import type { ComponentChildren, Ref } from 'preact';
import { Icon, IconButton } from '../ui/index.ts';
import { t } from '../words/index.ts';

interface ComposerProps {
  readonly label: string;
  /** Whom it goes to. */
  readonly to?: ComponentChildren;
  /** One thing at a time, the gravest first. */
  readonly warning?: ComponentChildren;
  readonly field: ComponentChildren;
  readonly uploads?: ComponentChildren;
  /** Formatting bar and buttons to send. */
  readonly bar: ComponentChildren;
  /** Completion and pickers, over the composer. */
  readonly popover?: ComponentChildren;
  readonly isActive?: boolean | undefined;
  readonly onSubmit: () => void;
}

/** The open composer: recipients, what there is to say about them, text, tools. */
export function Composer(props: ComposerProps) {
  const { label, to, warning, field, uploads, bar, popover, isActive, onSubmit } = props;
  const submit = (event: Event) => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <form class={isActive === true ? 'composer is-on' : 'composer'} aria-label={label} onSubmit={submit}>
      {popover}
      {to}
      {warning}
      {field}
      {uploads}
      {bar}
    </form>
  );
}

/** Holds the composer at the foot of the sheet. */
export function Dock({ children }: { readonly children: ComponentChildren }) {
  return <div class="dock">{children}</div>;
}

interface ComposerFieldProps {
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly placeholder: string;
  readonly label?: string | undefined;
  readonly rows?: number | undefined;
  /** The open completion: ID of its list and of the chosen option. */
  readonly completion?: { readonly list: string; readonly option: string | undefined } | undefined;
  readonly maxLength?: number | undefined;
  readonly onKeyDown?: ((event: KeyboardEvent) => void) | undefined;
  readonly onPaste?: ((event: ClipboardEvent) => void) | undefined;
  readonly onSelect?: (() => void) | undefined;
  readonly elementRef?: Ref<HTMLTextAreaElement> | undefined;
}

/** Where one writes: a plain text area, so that dictation, spelling and every input method work. It grows with its text. */
export function ComposerField(props: ComposerFieldProps) {
  const { text, onText, placeholder, label = t('compose.text'), rows = 2, completion, elementRef } = props;
  return (
    <div class="grows">
      <textarea
        ref={elementRef ?? null}
        aria-label={label}
        rows={rows}
        dir="auto"
        placeholder={placeholder}
        value={text}
        aria-autocomplete="list"
        aria-haspopup="listbox"
        aria-controls={completion?.list}
        aria-activedescendant={completion?.option}
        onInput={(event) => onText(event.currentTarget.value)}
        onKeyDown={props.onKeyDown}
        onPaste={props.onPaste}
        onSelect={props.onSelect}
      />
      <div class="shadow" aria-hidden="true">
        {text}{' '}
      </div>
    </div>
  );
}

interface RestingComposerProps {
  /** Says where it goes. */
  readonly placeholder: string;
  readonly onOpen: () => void;
  readonly onAttach?: (() => void) | undefined;
  readonly onEmoji?: (() => void) | undefined;
}

/** The composer before one writes: one line. */
export function RestingComposer({ placeholder, onOpen, onAttach, onEmoji }: RestingComposerProps) {
  return (
    <div class="composer rest">
      <button type="button" class="rest-field clip" dir="auto" onClick={onOpen}>
        {placeholder}
      </button>
      {onAttach && <IconButton icon="clip" label={t('compose.attach')} onPress={onAttach} />}
      {onEmoji && <IconButton icon="smile" label={t('compose.emoji')} onPress={onEmoji} />}
      <IconButton icon="compose" label={t('compose.label')} keys="r" onPress={onOpen} />
    </div>
  );
}

interface NoPostProps {
  /** "You may not post in announcements." */
  readonly title: string;
  /** Who may. */
  readonly children?: ComponentChildren;
  readonly action?: ComponentChildren;
}

/** In place of the composer, where the server would refuse. */
export function NoPost({ title, children, action }: NoPostProps) {
  return (
    <div class="composer no-post" role="note" aria-label={t('compose.noPost')}>
      <Icon name="lock" />
      <p class="grow">
        <b>{title}</b> <span>{children}</span>
      </p>
      {action}
    </div>
  );
}
