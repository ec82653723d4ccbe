import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Button, Dialog, FieldError } from '../../ui/index.ts';
import { t } from '../../words/managing.ts';
import { useSaver } from './saving.tsx';

interface DialogProps {
  readonly title: string;
  /** What its button says; begins with a verb. */
  readonly way: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

interface AskDialogProps extends DialogProps {
  readonly isBusy: boolean;
  readonly error: string | undefined;
  readonly onSubmit: () => void;
}

/** Fields or a question with one way on, and what the server said against them. */
export function AskDialog({ way, isBusy, error, children, ...dialog }: AskDialogProps) {
  return (
    <Dialog
      {...dialog}
      foot={
        <>
          <Button look="primary" submit busy={isBusy}>
            {way}
          </Button>
          <Button onPress={dialog.onClose}>{t('common.cancel')}</Button>
        </>
      }
    >
      {children}
      {error !== undefined && <FieldError id="form-error" text={error} />}
    </Dialog>
  );
}

interface FormDialogProps extends DialogProps {
  /** Runs when it is sent; it closes when that succeeds. */
  readonly onSend: () => Promise<unknown>;
}

/** Fields that are sent together. */
export function FormDialog({ onSend, ...dialog }: FormDialogProps) {
  const { isBusy, error, save } = useSaver();
  const send = async () => {
    if (await save(onSend)) dialog.onClose();
  };
  return <AskDialog {...dialog} isBusy={isBusy} error={error} onSubmit={() => void send()} />;
}

interface ListToolsProps {
  readonly lede: string;
  readonly add: string;
  /** Why the viewer may not add. */
  readonly refusal: string | undefined;
  readonly onAdd: () => void;
}

/** What a list is for, and the way to something new. */
export function ListTools({ lede, add, refusal, onAdd }: ListToolsProps) {
  return (
    <>
      <p class="set-lede">{lede}</p>
      <div class="toolbar">
        <Button look="primary" icon="plus" popup="dialog" refusal={refusal} onPress={onAdd}>
          {add}
        </Button>
        {refusal !== undefined && <span class="hint">{refusal}</span>}
      </div>
    </>
  );
}

interface RemovalProps {
  /** What is removed, for the button and the question. */
  readonly name: string;
  readonly hint: string;
  readonly word?: string;
  readonly onRemove: () => Promise<unknown>;
}

/** Asks before it removes what cannot be brought back. */
export function Removal({ name, hint, word = t('people.remove'), onRemove }: RemovalProps) {
  const [isAsking, setAsking] = useState(false);
  const { isBusy, error, save } = useSaver();
  const run = async () => {
    if (await save(onRemove)) setAsking(false);
  };
  return (
    <>
      <Button small look="ghost" popup="dialog" label={`${word}: ${name}`} onPress={() => setAsking(true)}>
        {word}
      </Button>
      {isAsking && (
        <Dialog
          title={`${word}: ${name}`}
          onClose={() => setAsking(false)}
          foot={
            <>
              <Button look="danger" busy={isBusy} onPress={() => void run()}>
                {word}
              </Button>
              <Button onPress={() => setAsking(false)}>{t('common.cancel')}</Button>
            </>
          }
        >
          <p>{hint}</p>
          {error !== undefined && <FieldError id="removal-error" text={error} />}
        </Dialog>
      )}
    </>
  );
}

interface OrderButtonsProps {
  readonly name: string;
  readonly ids: readonly number[];
  readonly id: number;
  readonly onOrder: (ids: readonly number[]) => Promise<unknown>;
}

/** Moves one of a list up or down, also by the keyboard. */
export function OrderButtons({ name, ids, id, onOrder }: OrderButtonsProps) {
  const { isBusy, error, save } = useSaver();
  const at = ids.indexOf(id);
  const move = (to: number) => void save(() => onOrder(moved(ids, at, to)));
  return (
    <>
      <Button
        small
        look="ghost"
        busy={isBusy}
        refusal={at <= 0 ? t('order.first') : undefined}
        label={t('order.upName', { name })}
        onPress={() => move(at - 1)}
      >
        ↑
      </Button>
      <Button
        small
        look="ghost"
        busy={isBusy}
        refusal={at === ids.length - 1 ? t('order.last') : undefined}
        label={t('order.downName', { name })}
        onPress={() => move(at + 1)}
      >
        ↓
      </Button>
      {error !== undefined && <FieldError id={`order-${id}`} text={error} />}
    </>
  );
}

/** The IDs with one of them at another place. */
export function moved(ids: readonly number[], from: number, to: number): readonly number[] {
  const rest = ids.toSpliced(from, 1);
  return rest.toSpliced(to, 0, ...ids.slice(from, from + 1));
}

/** Who may change what administrators change; undefined for an administrator. */
export function adminsOnly(isAdmin: boolean | undefined): string | undefined {
  return isAdmin === true ? undefined : t('manage.onlyBy', { name: t('group.administrators') });
}
