import { useEffect, useState } from 'preact/hooks';
import { CallFailure } from '../../api/index.ts';
import { useClient } from '../../client/index.ts';
import { EditForm } from '../../compose/edit-form.tsx';
import type { Message } from '../../messages/index.ts';
import { conversationOf } from '../../model/index.ts';
import { useWriting } from '../composer/use-writing.tsx';
import { editableUntil } from './message-rights.ts';

interface EditMessageProps {
  readonly message: Message;
  readonly text: string;
  readonly onDone: () => void;
}

/** Minutes from which on the time that is left is told. */
const TOLD_MINUTES = 10;
const TICK_MS = 10_000;

/** Changes a message in its own row, with the tools of the composer. */
export function EditMessage(props: EditMessageProps) {
  const { message, onDone } = props;
  const client = useClient();
  const [text, setText] = useState(props.text);
  const [fault, setFault] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const writing = useWriting({ text, onText: setText, conversation: conversationOf(message) });
  const minutesLeft = useMinutesLeft(message);
  useEffect(() => {
    writing.focus();
    // Its buttons, too: the field is higher than the words were.
    document.activeElement?.closest('form')?.scrollIntoView({ block: 'nearest' });
  }, []);
  const save = async () => {
    if (text === props.text) return onDone();
    setBusy(true);
    try {
      const prev_content_sha256 = await digestOf(props.text);
      const change = { message_id: message.id, content: text, ...(prev_content_sha256 && { prev_content_sha256 }) };
      await client.api.call('PATCH', '/messages/{message_id}', change);
      onDone();
    } catch (error) {
      if (!(error instanceof CallFailure)) throw error;
      setFault(error.message);
      setBusy(false);
    }
  };
  return (
    <EditForm
      writing={writing}
      onSave={() => void save()}
      onCancel={onDone}
      minutesLeft={minutesLeft !== undefined && minutesLeft <= TOLD_MINUTES ? minutesLeft : undefined}
      busy={isBusy}
      fault={fault}
    />
  );
}

/** What was edited is sent along, so that a change that came meanwhile is not lost; browsers reckon it over TLS only. */
async function digestOf(text: string): Promise<string | undefined> {
  if (!isSecureContext) return undefined;
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));
  return [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

function useMinutesLeft(message: Message): number | undefined {
  const client = useClient();
  const [now, setNow] = useState(client.clock.now());
  useEffect(() => {
    const stop = new AbortController();
    void client.clock.sleep(TICK_MS, stop.signal).then(() => stop.signal.aborted || setNow(client.clock.now()));
    return () => stop.abort();
  }, [client, now]);
  const until = editableUntil(client, message);
  return until === undefined || until === Number.POSITIVE_INFINITY
    ? undefined
    : Math.max(0, Math.ceil((until - now / 1000) / 60));
}
