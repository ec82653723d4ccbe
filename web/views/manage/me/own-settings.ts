import { useClient } from '../../../client/index.ts';
import type { RegisterState } from '../../../model/index.ts';

type UserSettings = RegisterState['user_settings'];

/** The reader's settings, and changing them. */
export function useOwnSettings() {
  const { model, api } = useClient();
  return {
    settings: model.facts.get('user_settings'),
    update: (change: Partial<UserSettings>) => api.call('PATCH', '/settings', change),
  };
}
