import type { ComponentChildren, ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { pageFact, useClient } from '../client/index.ts';
import { Button, EmptyView, ListSkeleton } from '../ui/index.ts';
import { t } from '../words/index.ts';

/** A view whose code comes with the first use, and is drawn at once from then on. */
interface Lazy<Props> {
  readonly load: () => Promise<ComponentType<Props>>;
  loaded?: ComponentType<Props>;
}

/** Makes a view of a function that fetches its code. */
export function lazy<Props>(load: () => Promise<ComponentType<Props>>): Lazy<Props> {
  return { load };
}

interface LazyViewProps<Props> {
  /** Must be the same at every render. */
  readonly view: Lazy<Props>;
  /** Name of a style sheet in ui/sheets that the view needs besides the main one. */
  readonly sheet?: string | undefined;
  readonly props: Props;
  /** Shows no placeholder while the chunk loads, because the view lies over others. */
  readonly isQuiet?: boolean | undefined;
  /** Stands for a view that could not be loaded, in place of a way to try again. */
  readonly instead?: ComponentChildren;
}

/** A view whose code and style sheet are loaded on first use. */
export function LazyView<Props extends object>({ view, sheet, props, isQuiet, instead }: LazyViewProps<Props>) {
  const { release } = useClient();
  const [View, setView] = useState(() => view.loaded);
  const [tries, setTries] = useState(0);
  const [isLost, setLost] = useState(false);
  useEffect(() => {
    let isGone = false;
    setLost(false);
    Promise.all([view.load(), sheet === undefined ? undefined : loadSheet(sheet)]).then(
      ([loaded]) => {
        view.loaded = loaded;
        if (!isGone) setView(() => loaded);
      },
      () => {
        // A newer release has other files, and trying again would not help.
        void release.ask();
        if (!isGone) setLost(true);
      },
    );
    return () => {
      isGone = true;
    };
  }, [view, sheet, tries]);
  if (View) return <View {...props} />;
  if (!isLost) return isQuiet === true ? null : <ListSkeleton />;
  if (instead !== undefined) return <>{instead}</>;
  return (
    <EmptyView title={t('view.failed')} text={t('view.failedHint')}>
      <Button onPress={() => setTries(tries + 1)}>{t('common.retry')}</Button>
    </EmptyView>
  );
}

const sheets = new Map<string, Promise<void>>();

function loadSheet(name: string): Promise<void> {
  const coming = sheets.get(name) ?? addSheet(name);
  sheets.set(name, coming);
  // A style sheet that failed to load is fetched again at the next attempt.
  coming.catch(() => sheets.delete(name));
  return coming;
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
      reject(new Error(`${name} did not come`));
    });
    // After the first sheet, whose rules it replaces.
    document.body.append(link);
  });
}
