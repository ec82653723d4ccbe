import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { Button, Dialog } from '../../ui/index.ts';
import { FieldError } from '../../ui/field.tsx';
import { t } from '../../words/deferred.ts';
import { forgetTyped, TypedBefore, typedIn } from '../typed.tsx';
import { FieldsProvider } from './form-field.tsx';
import { meantField } from './meant-field.ts';
import { useSaver } from './saving.tsx';

interface DialogProps {
  readonly title: string;
  /** Label of the submit button, which begins with a verb; the title if absent. */
  readonly way?: string;
  /** Whether it destroys something. */
  readonly isDanger?: boolean;
  /** Why it cannot be submitted yet. */
  readonly refusal?: string | undefined;
  readonly onClose: () => void;
  /** Name under which its fields store what is typed (`useTyped`). */
  readonly form?: string | undefined;
  readonly children: ComponentChildren;
}

interface AskDialogProps extends DialogProps {
  readonly isBusy: boolean;
  readonly error: string | undefined;
  readonly cause: unknown;
  readonly onSubmit: () => void;
}

/**
 * A dialog with fields or a question, one submit button, and the server's error: at the field that it is about, else
 * above the buttons. Cancelling discards what was typed, closing does not.
 */
export function AskDialog({
  way,
  isDanger = false,
  refusal,
  isBusy,
  error,
  cause,
  form,
  children,
  ...dialog
}: AskDialogProps) {
  const fields = useRef(new Map<string, RegExp | undefined>()).current;
  const meant = useMemo(() => meantField(cause, fields, form === undefined ? [] : typedIn(form)), [cause]);
  useEffect(() => {
    if (meant !== undefined) document.querySelector<HTMLElement>('dialog [aria-invalid]')?.focus();
  }, [cause, meant]);
  const cancel = () => {
    if (form !== undefined) forgetTyped(form);
    dialog.onClose();
  };
  return (
    <Dialog
      {...dialog}
      foot={
        <>
          <Button look={isDanger ? 'danger' : 'primary'} submit busy={isBusy} refusal={refusal}>
            {way ?? dialog.title}
          </Button>
          <Button onPress={cancel}>{t('common.cancel')}</Button>
        </>
      }
    >
      {form !== undefined && <TypedBefore form={form} />}
      <FieldsProvider value={{ fields, meant, error }}>{children}</FieldsProvider>
      {error !== undefined && meant === undefined && <FieldError id="form-error" text={error} />}
    </Dialog>
  );
}

interface FormDialogProps extends DialogProps {
  /** Called on submit; the dialog closes if it succeeds. */
  readonly onSend: () => Promise<unknown>;
}

/** A dialog whose fields are submitted together. */
export function FormDialog({ onSend, ...dialog }: FormDialogProps) {
  const { isBusy, error, cause, save } = useSaver();
  const send = async () => {
    if (!(await save(onSend))) return;
    if (dialog.form !== undefined) forgetTyped(dialog.form);
    dialog.onClose();
  };
  return <AskDialog {...dialog} isBusy={isBusy} error={error} cause={cause} onSubmit={() => void send()} />;
}

interface ListToolsProps {
  readonly lede: string;
  readonly add: string;
  /** Why the viewer may not add an item. */
  readonly refusal: string | undefined;
  readonly onAdd: () => void;
}

/** What a list is for, and the button to add an item. */
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

/** What is done to the thing, with the word on its button. */
const ACTS = {
  remove: 'people.remove',
  deactivate: 'people.deactivate',
  archive: 'folders.archive',
  delete: 'common.delete',
  revoke: 'deviceKeys.revoke',
} as const;

interface RemovalProps {
  /** Name of what is removed, for the button and the question. */
  readonly name: string;
  readonly hint: string;
  readonly act?: keyof typeof ACTS;
  readonly onRemove: () => Promise<unknown>;
}

/** A button that asks before removing something irreversibly. */
export function Removal({ name, hint, act = 'remove', onRemove }: RemovalProps) {
  const [isAsking, setAsking] = useState(false);
  const { isBusy, error, save } = useSaver();
  const run = async () => {
    if (await save(onRemove)) setAsking(false);
  };
  const [word, what] = [t(ACTS[act]), t(`removal.${act}`, { name })];
  return (
    <>
      <Button small look="ghost" popup="dialog" label={what} onPress={() => setAsking(true)}>
        {word}
      </Button>
      {isAsking && (
        <Dialog
          title={t('removal.ask', { what })}
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

/** Buttons that move an item up or down in its list. */
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

/** Returns the IDs with one moved to another place. */
export function moved(ids: readonly number[], from: number, to: number): readonly number[] {
  const rest = ids.toSpliced(from, 1);
  return rest.toSpliced(to, 0, ...ids.slice(from, from + 1));
}

/** Who may make changes reserved to administrators; undefined if the viewer is one. */
export function adminsOnly(isAdmin: boolean | undefined): string | undefined {
  return isAdmin === true ? undefined : t('manage.onlyBy', { name: t('group.administrators') });
}
