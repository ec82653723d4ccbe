import { useClient } from '../../client/index.ts';
import { mayIn } from '../../model/index.ts';
import { Menu, type MenuItem } from '../../ui/index.ts';
import { t } from '../../words/index.ts';
import { overlay } from '../overlays/open.ts';

interface OrganizationMenuProps {
  readonly anchor: HTMLElement;
  readonly above?: boolean | undefined;
  readonly onClose: () => void;
}

/** The menu of the organization: settings, invitations, log-out. */
export function OrganizationMenu({ anchor, above, onClose }: OrganizationMenuProps) {
  const client = useClient();
  const { facts, me } = client.model;
  const mayInvite = mayIn(facts, 'realm_can_invite_users_group') || mayIn(facts, 'realm_create_multiuse_invite_group');
  const groups: MenuItem[][] =
    me === 0
      ? [[{ label: t('org.logIn'), icon: 'key', href: '/login/' }]]
      : [
          [
            { label: t('shell.settings'), icon: 'gear', href: '#settings' },
            { label: t('org.channels'), icon: 'hash', href: '#channels' },
            { label: t('org.settings'), icon: 'shield', href: '#organization' },
            ...(mayInvite ? [{ label: t('org.invite'), icon: 'mail' as const, href: '#organization/invites' }] : []),
          ],
          [
            { label: t('keys.title'), icon: 'keyboard', keys: '?', onChoose: () => (overlay.value = 'keys') },
            { label: t('about.title'), icon: 'help', onChoose: () => (overlay.value = 'about') },
          ],
          [{ label: t('org.logOut'), icon: 'signout', onChoose: () => void client.logOut() }],
        ];
  return (
    <Menu
      label={t('shell.organization', { name: facts.get('realm_name') ?? '' })}
      anchor={anchor}
      above={above}
      groups={groups}
      onClose={onClose}
    />
  );
}
