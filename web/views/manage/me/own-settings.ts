import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { useClient } from '../../../client/index.ts';
import type { RegisterState } from '../../../model/index.ts';
import { t } from '../../../words/deferred.ts';

type UserSettings = RegisterState['user_settings'];

/** Which settings a page shows: the reader's, or the defaults of new people. */
export const SettingsOf = createContext<'reader' | 'newPeople'>('reader');

/** Returns the settings that a page shows, and a function that changes them. */
export function useSettings() {
  const { model, api } = useClient();
  const isOwn = useContext(SettingsOf) === 'reader';
  const defaults: Partial<UserSettings> | undefined = model.facts.get('realm_user_settings_defaults');
  const isAdmin = model.facts.get('is_admin') === true;
  return {
    isOwn,
    settings: isOwn ? model.facts.get('user_settings') : defaults,
    /** Who may change them, if the reader may not. */
    fixedBy: isOwn || isAdmin ? undefined : t('group.administrators'),
    update: (change: Partial<UserSettings>): Promise<unknown> =>
      isOwn ? api.call('PATCH', '/settings', change) : api.call('PATCH', '/realm/user_settings_defaults', change),
  };
}
