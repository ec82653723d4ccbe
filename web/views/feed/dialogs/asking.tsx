import { useState } from 'preact/hooks';
import { sentenceOf, useClient } from '../../../client/index.ts';
import type { Message } from '../../../messages/index.ts';
import { Button } from '../../../ui/index.ts';
import { FieldError } from '../../../ui/field.tsx';
import { t } from '../../../words/index.ts';
import { awaited } from '../../answer.ts';
import { forgetTyped } from '../../typed.tsx';

export interface AskingProps {
  readonly message: Message;
  /** Whether it is about the message's whole topic. */
  readonly isWhole?: boolean;
  readonly onClose: () => void;
}

/** A call of a dialog: whether it is running, and the server's error. Success discards what was typed into `form`. */
export function useAsking(onDone: () => void, form?: string) {
  const client = useClient();
  const [fault, setFault] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const run = (call: () => Promise<unknown>): void => {
    setBusy(true);
    setFault(undefined);
    const done = () => {
      if (form !== undefined) forgetTyped(form);
      onDone();
    };
    awaited(client, call()).then(done, (error: unknown) => {
      setFault(sentenceOf(error));
      setBusy(false);
    });
  };
  return { fault, isBusy, run, setFault };
}

/** The server's error in a dialog. */
export function Fault({ text }: { readonly text: string | undefined }) {
  if (text === undefined) return null;
  return <FieldError id="fault" text={text} />;
}

interface AskingFootProps {
  readonly label: string;
  readonly isBusy: boolean;
  readonly isBad?: boolean | undefined;
  readonly refusal?: string | undefined;
  /** Name under which its fields store what is typed; cancelling discards it. */
  readonly form?: string | undefined;
  readonly onClose: () => void;
}

/** The buttons at the foot of a dialog. */
export function AskingFoot({ label, isBusy, isBad, refusal, form, onClose }: AskingFootProps) {
  const cancel = () => {
    if (form !== undefined) forgetTyped(form);
    onClose();
  };
  return (
    <>
      <Button look={isBad === true ? 'danger' : 'primary'} submit busy={isBusy} refusal={refusal}>
        {label}
      </Button>
      <Button onPress={cancel}>{t('common.cancel')}</Button>
    </>
  );
}
