import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useClient } from '../../client/index.ts';
import { SettingRow } from '../../settings/index.ts';
import { Select, Switch, TextInput } from '../../ui/index.ts';
import { t } from '../../words/managing.ts';
import { sentenceOf } from '../answer.ts';

/** Milliseconds that "Saved" stays. */
const SAVED_MS = 4000;

/** One thing that is saved: whether it is on its way, and what the server said. */
interface Saver {
  readonly isBusy: boolean;
  readonly isSaved: boolean;
  readonly error: string | undefined;
  /** Whether it succeeded. A second one waits for nobody: while one is on its way nothing is sent. */
  readonly save: (run: () => Promise<unknown>) => Promise<boolean>;
}

type Progress = 'none' | 'busy' | 'saved' | { readonly error: string };

export function useSaver(): Saver {
  const { clock } = useClient();
  const [progress, setProgress] = useState<Progress>('none');
  const isBusy = useRef(false);
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
      await run();
      setProgress('saved');
      return true;
    } catch (error) {
      setProgress({ error: sentenceOf(error, 'manage.away') });
      return false;
    } finally {
      isBusy.current = false;
    }
  };
  return {
    isBusy: progress === 'busy',
    isSaved: progress === 'saved',
    error: typeof progress === 'object' ? progress.error : undefined,
    save,
  };
}

/** A value that is shown as chosen while the server is asked, and as it was when it refused. */
function useChosen<T>(value: T, onSave: (value: T) => Promise<unknown>) {
  const saver = useSaver();
  const [chosen, setChosen] = useState<{ readonly value: T } | undefined>();
  // The event that follows a change has the last word.
  useEffect(() => setChosen(undefined), [value]);
  const choose = async (next: T) => {
    setChosen({ value: next });
    if (!(await saver.save(() => onSave(next)))) setChosen(undefined);
  };
  return { ...saver, shown: chosen ? chosen.value : value, choose: (next: T) => void choose(next) };
}

interface Common<T> {
  readonly label: string;
  readonly hint?: ComponentChildren;
  readonly value: T;
  readonly onSave: (value: T) => Promise<unknown>;
  /** Who may change it, where the viewer may not. */
  readonly fixedBy?: string | undefined;
}

function hintOf<T>({ hint, fixedBy }: Common<T>): ComponentChildren {
  return fixedBy === undefined ? hint : t('manage.onlyBy', { name: fixedBy });
}

/** On or off, saved at once. */
export function SwitchSetting(props: Common<boolean>) {
  const { shown, choose, error, isSaved } = useChosen(props.value, props.onSave);
  return (
    <SettingRow label={props.label} hint={hintOf(props)} error={error} saved={isSaved} isInline>
      {(names) => <Switch {...names} checked={shown} disabled={props.fixedBy !== undefined} onChange={choose} />}
    </SettingRow>
  );
}

interface SelectSettingProps<Value extends string> extends Common<Value> {
  readonly options: readonly { readonly value: Value; readonly label: string }[];
}

/** One of a few, saved at once. */
export function SelectSetting<Value extends string>(props: SelectSettingProps<Value>) {
  const { shown, choose, error, isSaved } = useChosen(props.value, props.onSave);
  return (
    <SettingRow label={props.label} hint={hintOf(props)} error={error} saved={isSaved}>
      {(names) => (
        <Select
          {...names}
          options={props.options}
          value={shown}
          disabled={props.fixedBy !== undefined}
          onChange={choose}
        />
      )}
    </SettingRow>
  );
}

interface TextSettingProps extends Common<string> {
  readonly rows?: number | undefined;
  readonly maxLength?: number | undefined;
}

/** A text, saved when one leaves it or presses Enter. What was refused stays to be mended; Escape takes back what was. */
export function TextSetting(props: TextSettingProps) {
  const { value, onSave, rows, maxLength, fixedBy } = props;
  const { save, error, isSaved } = useSaver();
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  const commit = () => {
    if (text !== value) void save(() => onSave(text));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') setText(value);
    else if (event.key === 'Enter' && rows === undefined && !event.isComposing) commit();
  };
  const shared = { value: text, maxLength, disabled: fixedBy !== undefined, onBlur: commit, onKeyDown };
  return (
    <SettingRow label={props.label} hint={hintOf(props)} error={error} saved={isSaved}>
      {(names) =>
        rows === undefined ? (
          <TextInput {...names} {...shared} onText={setText} />
        ) : (
          <textarea
            class="input"
            dir="auto"
            rows={rows}
            {...names}
            {...shared}
            onInput={(event) => setText(event.currentTarget.value)}
          />
        )
      }
    </SettingRow>
  );
}
