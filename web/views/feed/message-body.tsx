import { signal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useClient } from '../../client/index.ts';
import type { Message } from '../../messages/index.ts';
import { onceDrawn } from '../../ui/index.ts';
import { t } from '../../words/index.ts';
import { overlay } from '../overlays/open.ts';
import { RenderedBody } from '../rendered-body.tsx';
import { faceOf } from '../shown.ts';
import { noticeFailure } from '../notice-failure.ts';
import { collapse } from './message-menu.tsx';
import { FoldButton } from './message-states.tsx';
import type { MessageWidgetProps } from './message-widget.tsx';

/** Height in rem above which a message is folded. */
const MAX_REM = 38;

/** What draws polls and to-do lists, once it is loaded. */
const widgets = signal<ComponentType<MessageWidgetProps> | undefined>(undefined);

interface MessageBodyProps {
  readonly message: Message;
  /** The rendered message. */
  readonly html: string;
}

/** The content of a message, or its widget. A very long one is folded and can be unfolded. */
export function MessageBody({ message, html }: MessageBodyProps) {
  const client = useClient();
  const box = useRef<HTMLDivElement>(null);
  const [isLong, setLong] = useState(false);
  const [isOpen, setOpen] = useState(false);
  const Widget = useWidgets(message.submessages.length > 0);
  useLayoutEffect(
    () => onceDrawn(() => setLong((box.current?.scrollHeight ?? 0) > MAX_REM * rem())),
    [message.content],
  );
  if (message.flags.includes('collapsed'))
    return (
      <p class="mark-row">
        <span>{t('message.collapsed')}</span>
        <FoldButton isOpen={false} onToggle={() => void noticeFailure(client, collapse(client, message))} />
      </p>
    );
  const text = (
    <>
      <div ref={box} class={isLong && !isOpen ? 'folded' : undefined} onClick={(event) => press(event, message)}>
        <RenderedBody html={html} actor={message.is_me_message ? faceOf(client, message.sender_id).name : undefined} />
      </div>
      {isLong && <FoldButton isOpen={isOpen} onToggle={() => setOpen(!isOpen)} />}
    </>
  );
  return Widget ? <Widget message={message} text={text} /> : text;
}

function rem(): number {
  return Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16;
}

/** Handles a click on a picture, or on the name of a person or a group. Keyboards open pictures by their links. */
function press(event: MouseEvent, message: Message): void {
  const { target } = event;
  if (!(target instanceof Element) || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const picture = target.closest('.message_inline_image:not(.message_inline_video, .youtube-video, .embed-video) a');
  const src = picture?.getAttribute('href');
  const person = target.closest<HTMLElement>('.user-mention[data-user-id]');
  const id = Number(person?.dataset['userId']);
  const group = target.closest<HTMLElement>('.user-group-mention[data-user-group-id]');
  if (src) overlay.value = { what: 'picture', message, src };
  else if (person && Number.isInteger(id)) overlay.value = { what: 'person', anchor: person, id };
  else if (group) overlay.value = { what: 'group', anchor: group, id: Number(group.dataset['userGroupId']) };
  else return;
  event.preventDefault();
}

/**
 * Returns what draws polls and to-do lists, once a message with one was seen and it is loaded. Until then, and where it
 * cannot be loaded, the message is its text.
 */
function useWidgets(isWanted: boolean): ComponentType<MessageWidgetProps> | undefined {
  useEffect(() => {
    if (isWanted && !widgets.peek())
      import('../lists.ts').then(
        ({ MessageWidget }) => (widgets.value = MessageWidget),
        () => undefined,
      );
  }, [isWanted]);
  return isWanted ? widgets.value : undefined;
}
