import type { IconName } from '../../ui/icons.ts';
import { t } from '../../words/deferred.ts';

/** A page in the index of the settings. */
interface Entry {
  readonly href: string;
  readonly label: string;
  readonly icon: IconName;
}

/** Pages of the reader's own settings, in the order of the index. */
export const ownPages = (): readonly Entry[] => [
  { href: '#settings/profile', label: t('me.profile'), icon: 'person' },
  { href: '#settings/notifications', label: t('me.notifications'), icon: 'bell' },
  { href: '#settings/preferences', label: t('me.display'), icon: 'moon' },
  { href: '#settings/account-and-privacy', label: t('me.account'), icon: 'shield' },
  { href: '#settings/alert-words', label: t('me.alerts'), icon: 'at' },
  { href: '#settings/uploaded-files', label: t('uploads.title'), icon: 'clip' },
  { href: '#settings/your-bots', label: t('me.bots'), icon: 'bot' },
];
/** Pages about the organization, in the order of the index. */
export const organizationPages = (): readonly Entry[] => [
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
  { href: '#organization/data-exports-admin', label: t('org.exports'), icon: 'download' },
];
