import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { sentenceOf, useClient } from '../../client/index.ts';
import { EditForm } from '../../compose/edit-form.tsx';
import type { Message } from '../../messages/index.ts';
import { conversationOf } from '../../model/index.ts';
import { t } from '../../words/index.ts';
import { awaited } from '../answer.ts';
import { useWriting } from '../composer/use-writing.tsx';
import { editableUntil } from './message-rights.ts';

interface EditMessageProps {
  readonly message: Message;
  readonly text: string;
  readonly onDone: () => void;
}

/** Minutes left at which the form begins to show them. */
const SHOWN_MINUTES = 10;
const TICK_MS = 10_000;

/** Edits a message in its own row, with the tools of the composer. */
export function EditMessage(props: EditMessageProps) {
  const { message, onDone } = props;
  const client = useClient();
  const { edits } = client;
  const was = useRef(edits.find(message.id)?.was ?? props.text);
  const [text, setText] = useState(edits.find(message.id)?.text ?? props.text);
  const latest = useRef(text);
  latest.current = text;
  const [fault, setFault] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const writing = useWriting({
    text,
    onText: (typed) => {
      setText(typed);
      edits.set(message.id, was.current, typed);
    },
    conversation: conversationOf(message),
  });
  const minutesLeft = useMinutesLeft(message);
  // Before any other event: a key that is pressed next is meant for the field.
  useLayoutEffect(() => {
    // A form that is drawn again takes the focus from nothing else.
    const at = document.activeElement;
    if (at !== document.body && !at?.closest(`[data-message="${message.id}"]`)) return;
    writing.focus();
    // The form is higher than the message was, so its buttons are scrolled into view as well.
    document.activeElement?.closest('form')?.scrollIntoView({ block: 'nearest' });
  }, []);
  // What is typed outlives a message that somebody deletes.
  useEffect(
    () => () => {
      const typed = edits.find(message.id)?.text;
      if (typed === undefined || client.messages.table.peek(message.id)) return;
      edits.forget(message.id);
      client.drafts.insert(conversationOf(message), typed);
    },
    [message],
  );
  const close = () => {
    for (const upload of writing.uploads) writing.onCancelUpload(upload);
    edits.forget(message.id);
    onDone();
  };
  const save = async () => {
    if (isBusy) return;
    if (writing.isUploading) return setFault(t('compose.stillUploading'));
    if (text === was.current) return close();
    setBusy(true);
    setFault(undefined);
    try {
      const prev_content_sha256 = await digestOf(was.current);
      const change = { message_id: message.id, content: text, ...(prev_content_sha256 && { prev_content_sha256 }) };
      await awaited(client, client.api.call('PATCH', '/messages/{message_id}', change));
      if (latest.current === text) return close();
      // What was typed during the call is not saved.
      was.current = text;
      edits.set(message.id, text, latest.current);
    } catch (error) {
      setFault(sentenceOf(error));
    }
    setBusy(false);
  };
  return (
    <EditForm
      writing={writing}
      onSave={() => void save()}
      onCancel={close}
      onLeave={onDone}
      minutesLeft={minutesLeft !== undefined && minutesLeft <= SHOWN_MINUTES ? minutesLeft : undefined}
      busy={isBusy}
      fault={fault}
    />
  );
}

/**
 * Computes the digest of the edited text, by which the server detects a concurrent change; browsers compute it over TLS
 * only.
 */
async function digestOf(text: string): Promise<string | undefined> {
  if (!isSecureContext) return undefined;
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));
  return [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

function useMinutesLeft(message: Message): number | undefined {
  const client = useClient();
  const [now, setNow] = useState(client.presence.now());
  useEffect(() => {
    const stop = new AbortController();
    void client.clock.sleep(TICK_MS, stop.signal).then(() => stop.signal.aborted || setNow(client.presence.now()));
    return () => stop.abort();
  }, [client, now]);
  const until = editableUntil(client, message);
  return until === undefined || until === Number.POSITIVE_INFINITY
    ? undefined
    : Math.max(0, Math.ceil((until - now) / 60));
}
