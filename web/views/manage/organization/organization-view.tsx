import { useClient } from '../../../client/index.ts';
import { BotsPage } from '../bots.tsx';
import { SettingsFrame } from '../settings-frame.tsx';
import { DefaultChannelsPage } from './default-channels-page.tsx';
import { DomainsPage } from './domains-page.tsx';
import { EmojiPage } from './emoji-page.tsx';
import { ExportsPage } from './exports-page.tsx';
import { FieldsPage } from './fields-page.tsx';
import { FoldersPage } from './folders-page.tsx';
import { Invitations } from './invitations.tsx';
import { LinkifiersPage } from './linkifiers-page.tsx';
import { LogInPage } from './log-in-page.tsx';
import { MessageRules } from './message-rules.tsx';
import { NewPeoplePage } from './new-people-page.tsx';
import { OrganizationProfile } from './organization-profile.tsx';
import { PeoplePage } from './people-page.tsx';
import { PermissionsPage } from './permissions-page.tsx';
import { PersonPage } from './person-page.tsx';
import { PlaygroundsPage } from './playgrounds-page.tsx';

const PAGES = {
  'organization-profile': OrganizationProfile,
  'organization-settings': MessageRules,
  'organization-permissions': PermissionsPage,
  'organization-level-user-defaults': NewPeoplePage,
  'auth-methods': LogInPage,
  domains: DomainsPage,
  'emoji-settings': EmojiPage,
  'linkifier-settings': LinkifiersPage,
  'playground-settings': PlaygroundsPage,
  'profile-field-settings': FieldsPage,
  'channel-folders': FoldersPage,
  'default-channels-list': DefaultChannelsPage,
  bots: AllBots,
  'data-exports-admin': ExportsPage,
} as const;
const isSection = (name: string): name is keyof typeof PAGES => name in PAGES;

function AllBots() {
  return <BotsPage isOwn={false} />;
}

/** The settings of the organization. */
export function OrganizationView({ section }: { readonly section: string }) {
  const id = personIn(section);
  const { people } = useClient().model;
  const person = id === undefined ? undefined : people.table.get(id)?.user;
  return (
    <SettingsFrame
      address={`#organization/${section === '' ? 'organization-profile' : section}`}
      section={section}
      title={person?.full_name}
    >
      <Page section={section} />
    </SettingsFrame>
  );
}

/** ID of the person whose page it is. */
function personIn(section: string): number | undefined {
  const id = /^users\/(\d{1,10})$/.exec(section)?.[1];
  return id === undefined ? undefined : Number(id);
}

function Page({ section }: { readonly section: string }) {
  const person = personIn(section);
  if (person !== undefined) return <PersonPage key={person} id={person} />;
  if (section.startsWith('users')) return <PeoplePage isActive={section !== 'users/deactivated'} />;
  if (section === 'invites') return <Invitations />;
  const Shown = isSection(section) ? PAGES[section] : OrganizationProfile;
  return <Shown />;
}
