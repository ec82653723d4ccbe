import { useClient } from '../../../client/index.ts';
import { t } from '../../../words/managing.ts';
import { BotsPage } from '../bots.tsx';
import { ManagePage, useIsPhone } from '../page.tsx';
import { settingsGroups } from '../settings-index.ts';
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
  const client = useClient();
  const isPhone = useIsPhone();
  const current = section === '' ? 'organization-profile' : section;
  const groups = settingsGroups(client, `#organization/${current}`);
  const page = groups.flatMap(({ pages }) => pages).find(({ isCurrent }) => isCurrent)?.label;
  const isIndex = isPhone && section === '';
  return (
    <ManagePage
      label={t('settings.title')}
      start="#settings"
      back="#"
      backLabel={t('common.back')}
      groups={groups}
      placeholder={t('settings.find')}
      page={isIndex ? undefined : (page ?? t('settings.title'))}
    >
      {isIndex ? undefined : <Page section={current} title={page ?? t('settings.title')} />}
    </ManagePage>
  );
}

function Page({ section, title }: { readonly section: string; readonly title: string }) {
  const Shown = isSection(section) ? PAGES[section] : OrganizationProfile;
  return (
    <>
      <h2 class="display set-title">{title}</h2>
      {section.startsWith('users') ? (
        <PeoplePage isActive={section !== 'users/deactivated'} />
      ) : section === 'invites' ? (
        <Invitations />
      ) : (
        <Shown />
      )}
    </>
  );
}
