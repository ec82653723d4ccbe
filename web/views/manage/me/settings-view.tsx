import { useClient } from '../../../client/index.ts';
import { t } from '../../../words/managing.ts';
import { BotsPage } from '../bots.tsx';
import { ManagePage, useIsPhone } from '../page.tsx';
import { settingsGroups } from '../settings-index.ts';
import { AccountPage } from './account-page.tsx';
import { AlertsPage } from './alerts-page.tsx';
import { DisplayPage } from './display-page.tsx';
import { NotificationsPage } from './notifications-page.tsx';
import { ProfilePage } from './profile-page.tsx';
import { UploadsPage } from './uploads-page.tsx';

function OwnBots() {
  return <BotsPage isOwn />;
}

const PAGES = {
  profile: ProfilePage,
  notifications: NotificationsPage,
  preferences: DisplayPage,
  'account-and-privacy': AccountPage,
  'alert-words': AlertsPage,
  'uploaded-files': UploadsPage,
  'your-bots': OwnBots,
} as const;
type Section = keyof typeof PAGES;
const isSection = (name: string): name is Section => name in PAGES;

/** The reader's own settings. An unknown section shows the first page; without one, phones show the index. */
export function SettingsView({ section }: { readonly section: string }) {
  const client = useClient();
  const isPhone = useIsPhone();
  const current: Section = isSection(section) ? section : 'profile';
  const groups = settingsGroups(client, isPhone && section === '' ? '' : `#settings/${current}`);
  const isIndex = isPhone && section === '';
  const title = groups.flatMap(({ pages }) => pages).find(({ isCurrent }) => isCurrent)?.label ?? '';
  const Page = PAGES[current];
  return (
    <ManagePage
      label={t('settings.title')}
      start="#settings"
      back="#"
      backLabel={t('common.back')}
      groups={groups}
      placeholder={t('settings.find')}
      page={isIndex ? undefined : title}
    >
      {!isIndex && (
        <>
          <h2 class="display set-title">{title}</h2>
          <Page key={current} />
        </>
      )}
    </ManagePage>
  );
}
