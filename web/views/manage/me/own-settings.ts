import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { useClient } from '../../../client/index.ts';
import type { RegisterState } from '../../../model/index.ts';
import { t } from '../../../words/managing.ts';

type UserSettings = RegisterState['user_settings'];

/** Whose settings a page is about: the reader's, or those with which new people begin. */
export const SettingsOf = createContext<'reader' | 'newPeople'>('reader');

/** The settings that a page is about, and changing them. */
export function useSettings() {
  const { model, api } = useClient();
  const isOwn = useContext(SettingsOf) === 'reader';
  const defaults: Partial<UserSettings> | undefined = model.facts.get('realm_user_settings_defaults');
  const isAdmin = model.facts.get('is_admin') === true;
  return {
    isOwn,
    settings: isOwn ? model.facts.get('user_settings') : defaults,
    /** Who may change them, where the reader may not. */
    fixedBy: isOwn || isAdmin ? undefined : t('group.administrators'),
    update: (change: Partial<UserSettings>): Promise<unknown> =>
      isOwn ? api.call('PATCH', '/settings', change) : api.call('PATCH', '/realm/user_settings_defaults', change),
  };
}
