import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { sentenceOf, showNotice, useClient } from '../../client/index.ts';
import { SettingRow } from '../../settings/index.ts';
import { Select, Switch, TextArea, TextInput } from '../../ui/field.tsx';
import { t } from '../../words/deferred.ts';
import { awaited } from '../answer.ts';
import { noticeFailure } from '../notice-failure.ts';
import { forgetTyped, useTyped } from '../typed.tsx';

/** Milliseconds for which "Saved" is shown. */
const SAVED_MS = 4000;

/** The state of a saved setting: whether it is being saved, and the server's error. */
interface Saver {
  readonly isBusy: boolean;
  readonly isSaved: boolean;
  readonly error: string | undefined;
  /** The error thrown, for forms that ask which field it is about. */
  readonly cause: unknown;
  /** Saves; returns whether it succeeded. Does nothing while another save is running. */
  readonly save: Save;
  /**
   * The same for values that change while a save is running: the newest is saved afterwards, those in between are not.
   */
  readonly saveNewest: Save;
}

type Save = (run: () => Promise<unknown>) => Promise<boolean>;

type Progress = 'none' | 'busy' | 'saved' | { readonly error: string; readonly cause: unknown };

export function useSaver(): Saver {
  const client = useClient();
  const { clock } = client;
  const [progress, setProgress] = useState<Progress>('none');
  const isBusy = useRef(false);
  const isHere = useRef(true);
  useEffect(() => () => void (isHere.current = false), []);
  useEffect(() => {
    if (progress !== 'saved') return undefined;
    const leaving = new AbortController();
    void clock.sleep(SAVED_MS, leaving.signal).then(() => !leaving.signal.aborted && setProgress('none'));
    return () => leaving.abort();
  }, [clock, progress]);
  const save = async (run: () => Promise<unknown>) => {
    if (isBusy.current) return false;
    isBusy.current = true;
    setProgress('busy');
    try {
      await awaited(client, run());
      setProgress('saved');
      return true;
    } catch (cause) {
      const sentence = sentenceOf(cause, 'manage.away');
      // If the page was left meanwhile, a notice shows the error.
      if (isHere.current) setProgress({ error: sentence, cause });
      else showNotice(client, sentence);
      return false;
    } finally {
      isBusy.current = false;
    }
  };
  const line = useRef<Promise<unknown>>(Promise.resolve());
  const newest = useRef(0);
  const saveNewest = (run: () => Promise<unknown>) => {
    const own = ++newest.current;
    const turn = line.current.then(() => own === newest.current && save(run));
    line.current = turn;
    return turn;
  };
  return {
    isBusy: progress === 'busy',
    isSaved: progress === 'saved',
    error: typeof progress === 'object' ? progress.error : undefined,
    cause: typeof progress === 'object' ? progress.cause : undefined,
    save,
    saveNewest,
  };
}

/**
 * Runs what a button in the head of a page asks for. A refusal is shown as a notice, because on a phone the head has no
 * room for a sentence.
 */
export function useHeadAction() {
  const client = useClient();
  const [isBusy, setBusy] = useState(false);
  const run = (ask: () => Promise<unknown>) => {
    setBusy(true);
    return noticeFailure(client, ask()).finally(() => setBusy(false));
  };
  return { isBusy, run };
}

/** A value that is shown as chosen while it is being saved, and as before if it is refused. */
function useChosen<T>(value: T, onSave: (value: T) => Promise<unknown>) {
  const saver = useSaver();
  const [chosen, setChosen] = useState<{ readonly value: T } | undefined>();
  // The setting's event after a change has the final value, unless another change was made meanwhile.
  useLayoutEffect(() => setChosen((now) => (saver.isBusy && now?.value !== value ? now : undefined)), [value]);
  const choose = async (next: T) => {
    const own = { value: next };
    setChosen(own);
    if (!(await saver.saveNewest(() => onSave(next)))) setChosen((now) => (now === own ? undefined : now));
  };
  return { ...saver, shown: chosen ? chosen.value : value, choose: (next: T) => void choose(next) };
}

interface Common<T> {
  readonly label: string;
  readonly hint?: ComponentChildren;
  readonly value: T;
  readonly onSave: (value: T) => Promise<unknown>;
  /** Who may change it, if the viewer may not. */
  readonly fixedBy?: string | undefined;
}

interface SavedRowProps extends Pick<Common<unknown>, 'label' | 'hint' | 'fixedBy'> {
  readonly saver: Pick<Saver, 'error' | 'isSaved'>;
  readonly isInline?: boolean;
  readonly children: Parameters<typeof SettingRow>[0]['children'];
}

/** A setting's row, with the answer to its last save, or who may change it instead of its hint. */
export function SavedRow({ label, hint, fixedBy, saver, isInline = false, children }: SavedRowProps) {
  const note = fixedBy === undefined ? hint : t('manage.onlyBy', { name: fixedBy });
  return (
    <SettingRow label={label} hint={note} error={saver.error} saved={saver.isSaved} isInline={isInline}>
      {children}
    </SettingRow>
  );
}

/** A switch that is saved at once. */
export function SwitchSetting(props: Common<boolean>) {
  const { shown, choose, ...saver } = useChosen(props.value, props.onSave);
  return (
    <SavedRow {...props} saver={saver} isInline>
      {(names) => <Switch {...names} checked={shown} disabled={props.fixedBy !== undefined} onChange={choose} />}
    </SavedRow>
  );
}

interface SelectSettingProps<Value extends string> extends Common<Value> {
  readonly options: readonly { readonly value: Value; readonly label: string }[];
}

/** A choice that is saved at once. */
export function SelectSetting<Value extends string>(props: SelectSettingProps<Value>) {
  const { shown, choose, ...saver } = useChosen(props.value, props.onSave);
  return (
    <SavedRow {...props} saver={saver}>
      {(names) => (
        <Select
          isAtOnce
          {...names}
          options={props.options}
          value={shown}
          disabled={props.fixedBy !== undefined}
          onChange={choose}
        />
      )}
    </SavedRow>
  );
}

interface TextSettingProps extends Common<string> {
  readonly rows?: number | undefined;
  readonly maxLength?: number | undefined;
}

/**
 * The text of a setting, which is not lost if it is refused, if somebody else changes the value, or if the page is
 * left.
 */
function useSettingText({ label, value, onSave }: TextSettingProps) {
  const saver = useSaver();
  const [form] = useState(`${location.hash} ${label}`);
  const [text, setText] = useTyped(form, 'text', value);
  // The server may store it in another form, such as without surrounding spaces.
  const sent = useRef<string | undefined>();
  const takeBack = () => forgetTyped(form);
  const commit = async () => {
    if (text === value || text === sent.current) return;
    sent.current = text;
    if (!(await saver.saveNewest(() => onSave(text)))) sent.current = undefined;
  };
  // Before any other event: what is typed until a later effect runs would be taken for the text of this render.
  useLayoutEffect(() => {
    if (text === value || text === sent.current) takeBack();
  }, [value]);
  const leave = useRef(commit);
  leave.current = commit;
  useEffect(() => () => void leave.current(), []);
  return { text, setText, commit: () => void commit(), takeBack, saver };
}

/**
 * A text that is saved when the field or the page is left, or with Enter. A refused text stays in the field, also after
 * returning to the page; Escape restores the saved value.
 */
export function TextSetting(props: TextSettingProps) {
  const { rows, maxLength, fixedBy } = props;
  const { text, setText, commit, takeBack, saver } = useSettingText(props);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') takeBack();
    else if (event.key === 'Enter' && rows === undefined && !event.isComposing) commit();
  };
  const shared = { value: text, maxLength, disabled: fixedBy !== undefined, onBlur: commit, onKeyDown };
  return (
    <SavedRow {...props} saver={saver}>
      {(names) =>
        rows === undefined ? (
          <TextInput {...names} {...shared} onText={setText} />
        ) : (
          <TextArea rows={rows} {...names} {...shared} onText={setText} />
        )
      }
    </SavedRow>
  );
}
