import type { Ref } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { type Emoji, sentenceOf, useClient } from '../../client/index.ts';
import type { ShownUpload, Tool, Writing } from '../../compose/index.ts';
import type { Conversation } from '../../model/index.ts';
import { t } from '../../words/index.ts';
import { overlay } from '../overlays/open.ts';
import { RenderedBody } from '../rendered-body.tsx';
import { formatted, inserted, type Selected } from './formatting.ts';
import { pasted } from './paste.ts';
import { useCompletion } from './use-completion.ts';
import { useUploads } from './use-uploads.ts';

interface WritingOptions {
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly conversation: Conversation;
  /** Called for a tool that the caller handles: snippets. */
  readonly onOtherTool?: ((tool: Tool, anchor: HTMLElement) => void) | undefined;
}

/** A text being written, with completion, tools, uploads and preview; for the composer and for editing a message. */
export interface ActiveWriting extends Writing {
  readonly focus: () => void;
  readonly insert: (what: string) => void;
  readonly attach: (files: readonly File[]) => void;
  readonly isUploading: boolean;
  readonly elementRef: Ref<HTMLTextAreaElement>;
}

const KEYS: Readonly<Record<string, Tool>> = { b: 'bold', i: 'italic' };
const SHIFT_KEYS: Readonly<Record<string, Tool>> = { l: 'link', c: 'code' };

export function useWriting({ text, onText, conversation, onOtherTool }: WritingOptions): ActiveWriting {
  const client = useClient();
  const field = useRef<HTMLTextAreaElement>(null);
  const latest = useRef({ text, onText });
  latest.current = { text, onText };
  const [preview, setPreview] = useState<string>();

  const selected = (): Selected => ({
    text: latest.current.text,
    from: field.current?.selectionStart ?? latest.current.text.length,
    to: field.current?.selectionEnd ?? latest.current.text.length,
  });
  const put = (next: Selected) => {
    latest.current.text = next.text;
    latest.current.onText(next.text);
    const element = field.current;
    if (!element) return;
    // Set at once and not with the next render, because another key may come first.
    element.value = next.text;
    element.focus();
    element.setSelectionRange(next.from, next.to);
    completion.look();
  };
  const insert = (what: string) => put(inserted(selected(), what));
  const replace = (what: string, by: string) => {
    const at = latest.current.text.indexOf(what);
    if (at === -1) return;
    // The cursor stays where somebody writes on; a new value would move it to the end.
    field.current?.setRangeText(by, at, at + what.length, 'preserve');
    latest.current.onText((latest.current.text = latest.current.text.replace(what, () => by)));
  };
  const uploads = useUploads({ text, insert, replace });

  const completion = useCompletion({ conversation, selected, put });
  const onTool = (tool: Tool, anchor: HTMLElement) => {
    if (preview !== undefined) return;
    if (tool === 'attach') return uploads.ask();
    if (tool === 'emoji')
      return void (overlay.value = { what: 'emoji', anchor, onChoose: (one: Emoji) => insert(`:${one.name}: `) });
    const made = formatted(tool, selected());
    if (made) put(made);
    else onOtherTool?.(tool, anchor);
  };
  const togglePreview = () => {
    if (preview !== undefined) return setPreview(undefined);
    setPreview('');
    client.api.callAny('POST', '/messages/render', { content: latest.current.text }).then(
      ({ rendered }) => setPreview(typeof rendered === 'string' ? rendered : ''),
      (error: unknown) => setPreview(sentenceOf(error)),
    );
  };
  const onKeyDown = (event: KeyboardEvent): boolean => {
    if (event.isComposing) return false;
    const handled = completion.onKey(event) || onToolKey(event, onTool, togglePreview);
    if (handled) event.preventDefault();
    return handled;
  };
  return {
    text,
    onText: (typed) => {
      latest.current.text = typed;
      onText(typed);
      completion.look();
    },
    elementRef: field,
    onKeyDown,
    onSelect: completion.follow,
    onPaste: (event) => {
      const { files } = event.clipboardData ?? {};
      if (files && files.length > 0) {
        event.preventDefault();
        return uploads.attach([...files]);
      }
      const what = event.clipboardData && pasted(event.clipboardData, selected());
      if (what === undefined || what === null) return;
      event.preventDefault();
      insert(what);
    },
    completion: preview === undefined ? completion.shown : undefined,
    onTool,
    preview:
      preview === undefined ? undefined : preview === '' ? t('compose.previewEmpty') : <RenderedBody html={preview} />,
    onPreview: togglePreview,
    uploads: uploads.shown,
    onCancelUpload: (upload: ShownUpload) => uploads.cancel(upload),
    onSwitchUpload: (upload: ShownUpload) => uploads.toggle(upload),
    isUploading: uploads.shown.length > 0,
    focus: () => field.current?.focus(),
    insert,
    attach: uploads.attach,
  };
}

function onToolKey(
  event: KeyboardEvent,
  onTool: (tool: Tool, anchor: HTMLElement) => void,
  onPreview: () => void,
): boolean {
  if (event.altKey && event.code === 'KeyP') {
    onPreview();
    return true;
  }
  if (!(event.ctrlKey || event.metaKey) || event.altKey) return false;
  const tool = (event.shiftKey ? SHIFT_KEYS : KEYS)[event.key.toLowerCase()];
  if (!tool || !(event.currentTarget instanceof HTMLElement)) return false;
  onTool(tool, event.currentTarget);
  return true;
}
