import type { Ref } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { type Emoji, useClient } from '../../client/index.ts';
import type { ShownUpload, Tool, Writing } from '../../compose/index.ts';
import type { Conversation } from '../../model/index.ts';
import { t } from '../../words/index.ts';
import { sentenceOf } from '../answer.ts';
import { overlay } from '../overlays/open.ts';
import { RenderedBody } from '../rendered-body.tsx';
import type { Offer } from './completions.tsx';
import { formatted, inserted, type Selected } from './formatting.ts';
import { pasted } from './paste.ts';
import { type Token, tokenAt } from './token.ts';
import { useUploads } from './use-uploads.ts';

interface WritingOptions {
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly conversation: Conversation;
  /** Replaces a placeholder by a file's link after the composer was closed. */
  readonly replaceLater?: ((what: string, by: string) => void) | undefined;
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

export function useWriting({ text, onText, conversation, replaceLater, onOtherTool }: WritingOptions): ActiveWriting {
  const client = useClient();
  const field = useRef<HTMLTextAreaElement>(null);
  const latest = useRef({ text, onText });
  latest.current = { text, onText };
  const [completion, setCompletion] = useState<Completing>();
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
    look();
  };
  const insert = (what: string) => put(inserted(selected(), what));
  const replace = (what: string, by: string) =>
    latest.current.onText((latest.current.text = latest.current.text.replace(what, () => by)));
  const uploads = useUploads({ insert, replace, replaceLater });

  const asked = useRef(0);
  const look = () => {
    const { from, to, text: now } = selected();
    const token = from === to ? tokenAt(now, from) : undefined;
    const number = ++asked.current;
    if (!token) return setCompletion(undefined);
    import('../lists.ts')
      .then(({ offersFor }) => offersFor(client, token, conversation))
      .then(
        (offers) => {
          if (number !== asked.current) return;
          setCompletion(offers.length === 0 ? undefined : { token, offers, selected: 0 });
        },
        // Without their code or their list, the text is typed without completions.
        () => undefined,
      );
  };
  const choose = (offer: Offer, isSilent: boolean) => {
    if (!completion) return;
    const { from: start } = completion.token;
    const { text: now, to } = selected();
    setCompletion(undefined);
    const what = offer.insert(isSilent);
    put({ text: now.slice(0, start) + what + now.slice(to), from: start + what.length, to: start + what.length });
  };
  const onTool = (tool: Tool, anchor: HTMLElement) => {
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
    const handled =
      (completion && onCompletionKey(event, completion, setCompletion, choose)) ||
      onToolKey(event, onTool, togglePreview);
    if (handled) event.preventDefault();
    return handled;
  };
  useEffect(() => () => void (asked.current += 1), []);
  return {
    text,
    onText: (typed) => {
      latest.current.text = typed;
      onText(typed);
      queueMicrotask(look);
    },
    elementRef: field,
    onKeyDown,
    onSelect: () => completion && look(),
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
    completion:
      completion && preview === undefined
        ? {
            label: t(`complete.label.${completion.token.kind}`),
            options: completion.offers,
            selected: completion.selected,
            offersSilent: completion.token.kind === 'mention',
            onChoose: (option) => {
              const offer = completion.offers.find(({ key }) => key === option.key);
              if (offer) choose(offer, false);
            },
            onPoint: (index) => setCompletion({ ...completion, selected: index }),
          }
        : undefined,
    onTool,
    preview:
      preview === undefined ? undefined : preview === '' ? t('compose.previewEmpty') : <RenderedBody html={preview} />,
    onPreview: togglePreview,
    uploads: uploads.shown,
    onCancelUpload: (upload: ShownUpload) => uploads.cancel(upload),
    onSwitchUpload: (upload: ShownUpload) => uploads.toggle(upload),
    isUploading: uploads.shown.some(({ state }) => state === 'running'),
    focus: () => field.current?.focus(),
    insert,
    attach: uploads.attach,
  };
}

interface Completing {
  readonly token: Token;
  readonly offers: readonly Offer[];
  readonly selected: number;
}

function onCompletionKey(
  event: KeyboardEvent,
  completion: Completing,
  set: (next: Completing | undefined) => void,
  choose: (offer: Offer, isSilent: boolean) => void,
): boolean {
  const { offers, selected } = completion;
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
  const offer = offers[selected];
  if (step !== 0) set({ ...completion, selected: (selected + step + offers.length) % offers.length });
  else if ((event.key === 'Enter' && !event.ctrlKey && !event.metaKey) || (event.key === 'Tab' && !event.shiftKey)) {
    if (offer) choose(offer, event.shiftKey);
  } else if (event.key === 'Escape') {
    set(undefined);
    event.stopPropagation();
  } else return false;
  return true;
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
