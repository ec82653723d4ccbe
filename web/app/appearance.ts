import { useLayoutEffect } from 'preact/hooks';
import { density, useClient, visitorTheme } from '../client/index.ts';
import { language, speak } from '../words/index.ts';

/** Values of the page's theme by the API's colour schemes; scheme 1 has none and follows the system. */
const THEMES: Readonly<Record<number, string>> = { 2: 'dark', 3: 'light' };

/** Applies the reader's chosen appearance and language to the page, also when it changes in another tab. */
export function useAppearance(): void {
  const { facts, me } = useClient().model;
  const settings = facts.get('user_settings');
  const own = me === 0 && visitorTheme.value !== 'system' ? visitorTheme.value : undefined;
  const theme = own ?? (settings && THEMES[settings.color_scheme]);
  const contrast = settings?.high_contrast_mode === true ? 'more' : undefined;
  const chosen = settings?.default_language;
  const shown = language();
  // Before anything is painted or read out.
  useLayoutEffect(() => void speak(chosen), [chosen]);
  useLayoutEffect(() => {
    document.documentElement.lang = shown;
  }, [shown]);
  const close = density.value === 'compact' ? 'compact' : undefined;
  useLayoutEffect(() => say('density', close), [close]);
  useLayoutEffect(() => {
    say('theme', theme);
    say('contrast', contrast);
  }, [theme, contrast]);
}

function say(name: 'theme' | 'contrast' | 'density', value: string | undefined): void {
  const { dataset } = document.documentElement;
  if (value === undefined) delete dataset[name];
  else dataset[name] = value;
}
