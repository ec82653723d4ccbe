import { BotsPage } from '../bots.tsx';
import { SettingsFrame } from '../settings-frame.tsx';
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
  const current: Section = isSection(section) ? section : 'profile';
  const Page = PAGES[current];
  return (
    <SettingsFrame address={`#settings/${current}`} section={section}>
      <Page key={current} />
    </SettingsFrame>
  );
}
