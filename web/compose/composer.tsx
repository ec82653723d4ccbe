import type { ComponentChildren, Ref } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { Icon, IconButton } from '../ui/index.ts';
import { t } from '../words/index.ts';
import { Completion, optionId } from './completion.tsx';
import type { Tool } from './tools.tsx';
import { type ShownUpload, Uploads } from './uploads.tsx';

interface ComposerProps {
  readonly label: string;
  /** The message's recipient. */
  readonly to?: ComponentChildren;
  /** The most serious warning; one at a time. */
  readonly warning?: ComponentChildren;
  readonly field: ComponentChildren;
  readonly uploads?: ComponentChildren;
  /** The formatting bar and the buttons to send. */
  readonly bar: ComponentChildren;
  /** Completions and pickers over the composer. */
  readonly popover?: ComponentChildren;
  readonly isActive?: boolean | undefined;
  readonly onSubmit: () => void;
}

/** The open composer: recipients, warning, text and tools. */
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

/** Keeps the composer at the bottom of the page's main area. */
export function Dock({ children }: { readonly children: ComponentChildren }) {
  return <div class="dock">{children}</div>;
}

/** A text being written, for the field, its tools and the popups over them. */
export interface Writing {
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly elementRef?: Ref<HTMLTextAreaElement> | undefined;
  /** Whether an open popup or a tool handled the key. */
  readonly onKeyDown?: ((event: KeyboardEvent) => boolean) | undefined;
  readonly onPaste?: ((event: ClipboardEvent) => void) | undefined;
  readonly onSelect?: (() => void) | undefined;
  readonly completion?:
    | (Omit<Parameters<typeof Completion>[0], 'id' | 'isInset'> & { readonly selected: number })
    | undefined;
  readonly onTool: (tool: Tool, anchor: HTMLElement) => void;
  /** Preview of the message, shown in place of the field. */
  readonly preview?: ComponentChildren | undefined;
  readonly onPreview: () => void;
  readonly uploads: readonly ShownUpload[];
  readonly onCancelUpload: (upload: ShownUpload) => void;
  readonly onSwitchUpload: (upload: ShownUpload) => void;
}

interface WritingFieldProps {
  readonly writing: Writing;
  readonly placeholder: string;
  readonly rows?: number | undefined;
  readonly maxLength?: number | undefined;
  /** Called for a key that completions and tools did not handle. */
  readonly onKey?: ((event: KeyboardEvent) => void) | undefined;
}

/** Characters of the text that fill the field to its greatest height; laying out more would delay each key press. */
const SHADOW_LENGTH = 10_000;

/**
 * The text field: a plain text area, so that dictation, spell checking and every input method work. It grows with its
 * text; completions are shown over it and uploads under it.
 */
export function WritingField({ writing, placeholder, rows = 2, maxLength, onKey }: WritingFieldProps) {
  const id = useId();
  const { text, onText, completion, preview, uploads } = writing;
  const field = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => {
    const { elementRef } = writing;
    if (typeof elementRef === 'object' && elementRef !== null) elementRef.current = field.current;
  });
  const isPreview = preview !== undefined;
  const box = useRef<HTMLDivElement>(null);
  const wasPreview = useRef(isPreview);
  // Field and preview take each other's place, with the focus.
  useLayoutEffect(() => {
    const isChanged = wasPreview.current !== isPreview;
    wasPreview.current = isPreview;
    if (isChanged && document.activeElement === document.body) (field.current ?? box.current)?.focus();
  }, [isPreview]);
  const press = (event: KeyboardEvent) => writing.onKeyDown?.(event) !== true && onKey?.(event);
  return (
    <>
      {completion && <Completion {...completion} id={id} />}
      {!isPreview ? (
        <div class="grows">
          <textarea
            ref={field}
            aria-label={t('compose.text')}
            rows={rows}
            dir="auto"
            placeholder={placeholder}
            value={text}
            maxLength={maxLength}
            aria-autocomplete="list"
            aria-haspopup="listbox"
            aria-controls={completion && id}
            aria-activedescendant={completion && optionId(id, completion.selected)}
            onInput={(event) => onText(event.currentTarget.value)}
            onKeyDown={press}
            onPaste={writing.onPaste}
            onSelect={writing.onSelect}
            // Some browsers tell late that the cursor was moved, or not at all.
            onKeyUp={writing.onSelect}
          />
          <div class="shadow" aria-hidden="true">
            {text.slice(0, SHADOW_LENGTH)}{' '}
          </div>
        </div>
      ) : (
        <div
          ref={box}
          class="preview body"
          role="region"
          aria-label={t('compose.preview')}
          tabIndex={0}
          onKeyDown={press}
        >
          {preview}
        </div>
      )}
      <Uploads uploads={uploads} onCancel={writing.onCancelUpload} onSwitch={writing.onSwitchUpload} />
    </>
  );
}

interface RestingComposerProps {
  /** Names the recipient. */
  readonly placeholder: string;
  readonly onOpen: () => void;
  readonly onAttach?: (() => void) | undefined;
  readonly onEmoji?: (() => void) | undefined;
}

/** The closed composer: one line. */
export function RestingComposer({ placeholder, onOpen, onAttach, onEmoji }: RestingComposerProps) {
  return (
    <div class="composer rest">
      <button type="button" class="rest-field clip" dir="auto" onClick={onOpen}>
        {placeholder}
      </button>
      {onAttach && <IconButton icon="clip" label={t('compose.attach')} onPress={onAttach} />}
      {onEmoji && <IconButton icon="smile" label={t('compose.emoji')} onPress={onEmoji} />}
      <IconButton icon="compose" label={t('compose.label')} keys="c" onPress={onOpen} />
    </div>
  );
}

interface NoPostProps {
  /** "You may not post in announcements." */
  readonly title: string;
  /** Who may. */
  readonly children?: ComponentChildren;
  readonly action?: ComponentChildren;
  readonly icon?: 'lock' | 'globe';
}

/** Replaces the composer where the server would refuse a message. */
export function NoPost({ title, children, action, icon = 'lock' }: NoPostProps) {
  return (
    <div class="composer no-post" role="note" aria-label={t('compose.noPost')}>
      <Icon name={icon} />
      <p class="grow">
        <b>{title}</b> <span>{children}</span>
      </p>
      {action}
    </div>
  );
}
