import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { pageFact } from '../client/index.ts';
import { Button, EmptyView, ListSkeleton } from '../ui/index.ts';
import { t } from '../words/index.ts';

interface LazyViewProps<Props> {
  /** Fetches the chunk; must be the same function at every render. */
  readonly load: () => Promise<ComponentType<Props>>;
  /** Name of a style sheet in ui/sheets that the view needs besides the main one. */
  readonly sheet?: string | undefined;
  readonly props: Props;
  /** Shows no placeholder while the chunk loads, because the view lies over others. */
  readonly isQuiet?: boolean | undefined;
}

/** A view whose code and style sheet are loaded on first use. */
export function LazyView<Props extends object>({ load, sheet, props, isQuiet }: LazyViewProps<Props>) {
  const [View, setView] = useState<ComponentType<Props> | undefined>();
  const [tries, setTries] = useState(0);
  const [isLost, setLost] = useState(false);
  useEffect(() => {
    let isGone = false;
    setLost(false);
    Promise.all([load(), sheet === undefined ? undefined : loadSheet(sheet)]).then(
      ([loaded]) => !isGone && setView(() => loaded),
      () => !isGone && setLost(true),
    );
    return () => {
      isGone = true;
    };
  }, [load, sheet, tries]);
  if (View) return <View {...props} />;
  if (!isLost) return isQuiet === true ? null : <ListSkeleton />;
  return (
    <EmptyView title={t('view.failed')} text={t('view.failedHint')}>
      <Button onPress={() => setTries(tries + 1)}>{t('common.retry')}</Button>
    </EmptyView>
  );
}

const sheets = new Map<string, Promise<void>>();

function loadSheet(name: string): Promise<void> {
  const known = sheets.get(name) ?? addSheet(name);
  sheets.set(name, known);
  // A style sheet that failed to load is fetched again at the next attempt.
  known.catch(() => sheets.delete(name));
  return known;
}

function addSheet(name: string): Promise<void> {
  const files: unknown = JSON.parse(pageFact('sheets') ?? '{}');
  const file: unknown = typeof files === 'object' && files !== null ? Reflect.get(files, name) : undefined;
  if (typeof file !== 'string') return Promise.resolve();
  const link = document.createElement('link');
  link.rel = 'stylesheet';
  link.href = `/web/${file}`;
  return new Promise((resolve, reject) => {
    link.addEventListener('load', () => resolve());
    link.addEventListener('error', () => {
      link.remove();
      reject(new Error(`the style sheet ${name} did not come`));
    });
    document.head.append(link);
  });
}
