import { useState } from 'preact/hooks';
import type { OutputOf } from '../../../api/index.ts';
import { useClient } from '../../../client/index.ts';
import { SettingsSection } from '../../../settings/index.ts';
import { Button, Icon } from '../../../ui/index.ts';
import { FieldError } from '../../../ui/field.tsx';
import { t } from '../../../words/deferred.ts';
import { useAnswer } from '../../answer.ts';
import { dayOf, faceOf } from '../../shown.ts';
import { Awaited } from '../awaited.tsx';
import { CopyField } from '../copy-field.tsx';
import { holdersOf, holds } from '../rights.ts';
import { roleName } from '../roles.ts';
import { useSaver } from '../saving.tsx';
import { InviteForm } from './invite-form.tsx';

type Invite = OutputOf<'GET', '/invites'>['invites'][number];

/** A form that invites people, and the open invitations, which guests cannot see. */
export function Invitations() {
  const client = useClient();
  const { facts } = client.model;
  const [made, setMade] = useState(0);
  const load = () => setMade((count) => count + 1);
  const mails = facts.get('realm_can_invite_users_group');
  const links = facts.get('realm_create_multiuse_invite_group');
  return (
    <>
      <SettingsSection id="inv-link" title={t('invite.link')} lede={t('invite.linkHint')}>
        <InviteForm kind="link" fixedBy={holds(client, links) ? undefined : holdersOf(client, links)} onDone={load} />
      </SettingsSection>
      <SettingsSection id="inv-mail" title={t('invite.mail')} lede={t('invite.mailHint')}>
        <InviteForm kind="mail" fixedBy={holds(client, mails) ? undefined : holdersOf(client, mails)} onDone={load} />
      </SettingsSection>
      {facts.get('is_guest') !== true && <OpenInvitations made={made} />}
    </>
  );
}

function OpenInvitations({ made }: { readonly made: number }) {
  const { api } = useClient();
  const answer = useAnswer(async () => (await api.call('GET', '/invites', {})).invites, [api, made]);
  const { found: invites, again } = answer;
  return (
    <SettingsSection id="inv-open" title={t('invite.open')}>
      <Awaited id="invites-error" answer={answer} count={2} />
      {invites?.length === 0 && <p class="hint">{t('invite.none')}</p>}
      {invites && invites.length > 0 && (
        <ul class="rows wide">
          {invites.map((invite) => (
            <InviteRow key={`${invite.is_multiuse}-${invite.id}`} invite={invite} onDone={() => void again()} />
          ))}
        </ul>
      )}
    </SettingsSection>
  );
}

function InviteRow({ invite, onDone }: { readonly invite: Invite; readonly onDone: () => void }) {
  const client = useClient();
  const { isBusy, isSaved, error, save } = useSaver();
  const name = invite.is_multiuse ? t('invite.aLink') : (invite.email ?? '');
  const revoke = async () => {
    const path = invite.is_multiuse ? '/invites/multiuse/{invite_id}' : '/invites/{invite_id}';
    if (await save(() => client.api.call('DELETE', path, { invite_id: invite.id }))) onDone();
  };
  const resend = () =>
    void save(() => client.api.call('POST', '/invites/{invite_id}/resend', { invite_id: invite.id }));
  const inviter = invite.invited_by_user_id;
  return (
    <li>
      <Icon name={invite.is_multiuse ? 'link' : 'mail'} />
      <span class="grow">
        <b dir="auto">{name}</b>
        <small dir="auto">
          {[
            roleName(invite.invited_as),
            useExpiry(invite.expiry_date),
            inviter === null ? '' : t('invite.by', { name: faceOf(client, inviter).name }),
          ]
            .filter((part) => part !== '')
            .join(' · ')}
        </small>
        {invite.link_url !== undefined && <CopyField label={t('invite.address')} value={invite.link_url} />}
        {error !== undefined && <FieldError id={`invite-${invite.id}`} text={error} />}
      </span>
      <span class="row-end">
        {!invite.is_multiuse && (
          <Button small look="ghost" busy={isBusy} label={t('invite.resendName', { name })} onPress={resend}>
            {isSaved ? t('invite.sent') : t('invite.resend')}
          </Button>
        )}
        <Button small look="ghost" busy={isBusy} label={t('invite.revokeName', { name })} onPress={() => void revoke()}>
          {t('invite.revoke')}
        </Button>
      </span>
    </li>
  );
}

function useExpiry(seconds: number | null): string {
  const client = useClient();
  if (seconds === null) return t('invite.forEver');
  return t('invite.until', { day: dayOf(client, seconds) });
}
