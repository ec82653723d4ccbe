import { useRef } from 'preact/hooks';
import { codePointLength } from '#kernel/text';
import { conversationHash, hashOf } from '../../addresses/index.ts';
import { showNotice, useClient } from '../../client/index.ts';
import { Composer, Dock, FormattingBar, NoPost, SendBar, type Tool, WritingField } from '../../compose/index.ts';
import { type Conversation, keyOf } from '../../model/index.ts';
import { t } from '../../words/index.ts';
import { overlay } from '../overlays/open.ts';
import { channelLook, titleOf } from '../shown.ts';
import { DropArea } from './drop-area.tsx';
import { refusalIn } from './places.tsx';
import { useRecipient } from './recipient.tsx';
import { useTakeBack } from './take-back.ts';
import { useDraft } from './use-draft.ts';
import { useWriting } from './use-writing.tsx';
import { useWarning } from './warnings.tsx';

/** Characters left from which on their number is shown. */
const SHOWN_LEFT = 500;

interface ConversationComposerProps {
  /** The conversation of the view; its recipient until another one is chosen. */
  readonly conversation: Conversation;
  /** Closes the composer, where that is possible. */
  readonly onClose?: (() => void) | undefined;
}

/** The composer of a conversation, or the reason why the viewer may not post. */
export function ConversationComposer(props: ConversationComposerProps) {
  const client = useClient();
  const { conversation } = props;
  const refusal = refusalIn(client, conversation);
  if (refusal === undefined) return <WritingComposer {...props} />;
  return (
    <Dock>
      <NoPost title={refusal}>
        {t('compose.noPostHint')} {'channelId' in conversation && <WhoMayPost id={conversation.channelId} />}
      </NoPost>
    </Dock>
  );
}

function WhoMayPost({ id }: { readonly id: number }) {
  const permissions = { view: 'channels', section: 'one', id, tab: 'permissions' } as const;
  return <a href={hashOf(permissions, useClient().names)}>{t('compose.whoMayPost')}</a>;
}

/** What stands beside the button that sends; `isNewLine` says that Enter was just pressed and sends nothing. */
function noteOf(left: number, isNewLine: boolean, isSaved: boolean): string {
  if (left < 0) return t('compose.over', { count: -left });
  if (left < SHOWN_LEFT) return t('compose.left', { count: left });
  if (isNewLine) return t('compose.howToSend');
  return isSaved ? t('compose.draftSaved') : '';
}

/** Why a text cannot be sent; undefined for one that can. `left` is the number of characters that may still be typed. */
function textRefusal(left: number, isUploading: boolean, isRefused: boolean): string | undefined {
  if (left < 0) return t('compose.over', { count: -left });
  if (isUploading) return t('compose.stillUploading');
  return isRefused ? t('warn.refused') : undefined;
}

/** The composer of a conversation. Stores drafts, and shows sent messages at once. */
function WritingComposer({ conversation: start, onClose }: ConversationComposerProps) {
  const client = useClient();
  const toText = useRef<() => void>(() => undefined);
  const focus = () => toText.current();
  const recipient = useRecipient({ start, onClose, onWrite: focus });
  const { conversation } = recipient;
  const name = titleOf(client, conversation);
  const { drafts, outbox, takingBack, model } = client;
  const draft = useDraft(conversation, focus);
  const { text } = draft;
  const writing = useWriting({
    text,
    onText: draft.write,
    conversation,
    onOtherTool: (tool: Tool, anchor: HTMLElement) => {
      if (tool === 'snippets')
        overlay.value = { what: 'snippets', anchor, text: draft.latest(), onChoose: writing.insert };
      else if (tool === 'poll') showNotice(client, t('compose.pollFirst'));
    },
  });
  toText.current = writing.focus;
  const most = model.facts.get('max_message_length') ?? 10_000;
  const left = most - codePointLength(text.trim());
  // A text that is too long is refused for that; searching it at each key press takes long.
  const warning = useWarning(conversation, left < 0 ? '' : text);
  const refusal =
    text.trim() === ''
      ? t('compose.empty')
      : (recipient.refusal ?? textRefusal(left, writing.isUploading, warning?.isRefusal === true));
  const empty = () => {
    draft.empty();
    writing.focus();
  };
  const send = () => {
    if (refusal !== undefined) return;
    if (writing.preview !== undefined) writing.onPreview();
    void outbox.add(conversation, text.trim()).then((entry) => takingBack.sent(entry));
    empty();
    if (keyOf(conversation) === keyOf(start) && !onClose) return;
    drafts.enterNext(conversation);
    location.hash = conversationHash(conversation, client.names);
  };
  const takeBack = useTakeBack(conversation);
  const sendLater = (anchor: HTMLElement) => {
    const scheduled = text.trim();
    const onDone = () => {
      // What was typed during the call was not scheduled.
      const rest = draft.latest().replace(scheduled, '').trimStart();
      if (rest === '') empty();
      else draft.write(rest);
    };
    overlay.value = { what: 'later', anchor, conversation, text: scheduled, onDone };
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'ArrowUp' && text === '') return editLast(event);
    if (text === '' && isUndo(event) && (takeBack?.() ?? client.notices.undoNewest())) return event.preventDefault();
    if (event.key !== 'Enter' || event.isComposing || event.shiftKey) return;
    if (!enterSends && !event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    send();
  };
  const enterSends = model.facts.get('user_settings')?.enter_sends === true;
  return (
    <Dock>
      <DropArea name={name} onFiles={writing.attach}>
        <Composer
          label={t('compose.label')}
          isActive
          onSubmit={send}
          to={recipient.line}
          popover={recipient.popover}
          warning={warning?.shown}
          field={
            <WritingField
              writing={writing}
              placeholder={t('compose.placeholder', { name: placeOf(client, conversation, name) })}
              onKey={onKey}
            />
          }
          bar={
            <div class="bar-row">
              <FormattingBar
                onTool={writing.onTool}
                isPreview={writing.preview !== undefined}
                onPreview={writing.onPreview}
              />
              <SendBar
                note={noteOf(left, text.endsWith('\n') && !enterSends, draft.isSaved)}
                isTooLong={left < 0}
                refusal={refusal}
                audience={warning?.audience}
                onTakeBack={text === '' ? takeBack : undefined}
                onLater={refusal === undefined ? sendLater : undefined}
              />
            </div>
          }
        />
      </DropArea>
    </Dock>
  );
}

function placeOf(client: ReturnType<typeof useClient>, conversation: Conversation, name: string): string {
  return 'people' in conversation ? name : `${channelLook(client, conversation.channelId).name} › ${name}`;
}

function isUndo({ key, ctrlKey, metaKey, shiftKey }: KeyboardEvent): boolean {
  return key === 'z' && (ctrlKey || metaKey) && !shiftKey;
}

/** Opens the viewer's last message for editing, when the arrow up is pressed in an empty field. */
function editLast(event: KeyboardEvent): void {
  const rows = [...document.querySelectorAll<HTMLElement>('main article[data-own]')];
  const last = rows.at(-1);
  if (!last) return;
  event.preventDefault();
  last.focus();
  // A row that got the focus has its buttons when it is drawn again, before the next key is pressed.
  queueMicrotask(() => last.querySelector<HTMLElement>('[data-keys="e"]')?.click());
}
