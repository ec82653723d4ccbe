import { useState } from 'preact/hooks';
import type { Message } from '../../../messages/index.ts';
import { Button } from '../../../ui/index.ts';
import { t } from '../../../words/index.ts';
import { sentenceOf } from '../../answer.ts';

export interface AskingProps {
  readonly message: Message;
  readonly onClose: () => void;
}

/** A call that a dialog makes: while it is under way, and what the server said against it. */
export function useAsking(onDone: () => void) {
  const [fault, setFault] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const run = (call: () => Promise<unknown>): void => {
    setBusy(true);
    setFault(undefined);
    call().then(onDone, (error: unknown) => {
      setFault(sentenceOf(error));
      setBusy(false);
    });
  };
  return { fault, isBusy, run, setFault };
}

/** What the server said against it, in a dialog. */
export function Fault({ text }: { readonly text: string | undefined }) {
  if (text === undefined) return null;
  return (
    <p class="err" role="alert">
      {text}
    </p>
  );
}

interface AskingFootProps {
  readonly label: string;
  readonly isBusy: boolean;
  readonly isBad?: boolean | undefined;
  readonly refusal?: string | undefined;
  readonly onClose: () => void;
}

/** The buttons at the foot of a dialog. */
export function AskingFoot({ label, isBusy, isBad, refusal, onClose }: AskingFootProps) {
  return (
    <>
      <Button look={isBad === true ? 'danger' : 'primary'} submit busy={isBusy} refusal={refusal}>
        {label}
      </Button>
      <Button onPress={onClose}>{t('common.cancel')}</Button>
    </>
  );
}
