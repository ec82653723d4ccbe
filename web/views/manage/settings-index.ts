import type { Client } from '../../client/index.ts';
import type { SettingsPage } from '../../settings/index.ts';
import type { IconName } from '../../ui/index.ts';
import { t } from '../../words/managing.ts';

interface Entry {
  readonly href: string;
  readonly label: string;
  readonly icon: IconName;
}

const OWN: readonly Entry[] = [
  { href: '#settings/profile', label: t('me.profile'), icon: 'person' },
  { href: '#settings/notifications', label: t('me.notifications'), icon: 'bell' },
  { href: '#settings/preferences', label: t('me.display'), icon: 'moon' },
  { href: '#settings/account-and-privacy', label: t('me.account'), icon: 'shield' },
  { href: '#settings/alert-words', label: t('me.alerts'), icon: 'at' },
  { href: '#settings/uploaded-files', label: t('uploads.title'), icon: 'clip' },
  { href: '#settings/your-bots', label: t('me.bots'), icon: 'bot' },
];
const ORGANIZATION: readonly Entry[] = [
  { href: '#organization/organization-profile', label: t('org.profile'), icon: 'globe' },
  { href: '#organization/users/active', label: t('org.people'), icon: 'people' },
  { href: '#organization/invites', label: t('org.invitations'), icon: 'mail' },
  { href: '#organization/organization-settings', label: t('org.messages'), icon: 'quote' },
  { href: '#organization/organization-permissions', label: t('org.permissions'), icon: 'shield' },
  { href: '#organization/organization-level-user-defaults', label: t('org.newPeople'), icon: 'person' },
  { href: '#organization/auth-methods', label: t('login.title'), icon: 'lock' },
  { href: '#organization/domains', label: t('org.domains'), icon: 'mail' },
  { href: '#channels', label: t('nav.channels'), icon: 'hash' },
  { href: '#organization/channel-folders', label: t('org.folders'), icon: 'folder' },
  { href: '#organization/default-channels-list', label: t('org.defaults'), icon: 'check' },
  { href: '#groups', label: t('nav.groups'), icon: 'people' },
  { href: '#organization/emoji-settings', label: t('org.emoji'), icon: 'smile' },
  { href: '#organization/linkifier-settings', label: t('org.linkifiers'), icon: 'link' },
  { href: '#organization/playground-settings', label: t('org.playgrounds'), icon: 'code' },
  { href: '#organization/profile-field-settings', label: t('org.fields'), icon: 'person' },
  { href: '#organization/bots', label: t('org.bots'), icon: 'bot' },
];

/** The index of all settings: one's own, and those of the organization. */
export function settingsGroups({ model }: Client, current: string) {
  const page = (entry: Entry): SettingsPage => ({
    ...entry,
    isCurrent:
      entry.href === current ||
      (entry.href === '#organization/users/active' && current.startsWith('#organization/users')),
  });
  return [
    { title: model.people.table.get(model.me)?.user.full_name ?? '', pages: OWN.map(page) },
    { title: model.facts.get('realm_name') ?? '', pages: ORGANIZATION.map(page) },
  ];
}
