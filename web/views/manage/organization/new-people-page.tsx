import { t } from '../../../words/deferred.ts';
import { DisplayPage } from '../me/display-page.tsx';
import { NotificationsPage } from '../me/notifications-page.tsx';
import { SettingsOf } from '../me/own-settings.ts';

/** The default settings of new people, on the same pages as the reader's own. */
export function NewPeoplePage() {
  return (
    <SettingsOf.Provider value="newPeople">
      <p class="set-lede">{t('newPeople.lede')}</p>
      <DisplayPage />
      <NotificationsPage />
    </SettingsOf.Provider>
  );
}
