import { useEffect } from 'preact/hooks';
import { density, useClient, visitorTheme } from '../client/index.ts';

/** What the page is told, by the API's numbers for the schemes; of 1 nothing, so that it goes with the system. */
const THEMES: Readonly<Record<number, string>> = { 2: 'dark', 3: 'light' };

/** The page looks as the reader has chosen, here and in other tabs, as soon as it changes. */
export function useAppearance(): void {
  const { facts, me } = useClient().model;
  const settings = facts.get('user_settings');
  const own = me === 0 && visitorTheme.value !== 'system' ? visitorTheme.value : undefined;
  const theme = own ?? (settings && THEMES[settings.color_scheme]);
  const contrast = settings?.high_contrast_mode === true ? 'more' : undefined;
  const close = density.value === 'compact' ? 'compact' : undefined;
  useEffect(() => say('density', close), [close]);
  useEffect(() => {
    say('theme', theme);
    say('contrast', contrast);
  }, [theme, contrast]);
}

function say(name: 'theme' | 'contrast' | 'density', value: string | undefined): void {
  const { dataset } = document.documentElement;
  if (value === undefined) delete dataset[name];
  else dataset[name] = value;
}
