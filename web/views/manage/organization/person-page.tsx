import { useClient } from '../../../client/index.ts';
import type { Person } from '../../../model/index.ts';
import { SettingsSection } from '../../../settings/index.ts';
import { Avatar, EmptyView, LinkButton } from '../../../ui/index.ts';
import { t } from '../../../words/deferred.ts';
import { faceOf } from '../../shown.ts';
import { offerUndo } from '../../undoing.ts';
import { ProfileFields } from '../me/profile-fields.tsx';
import { ProfilePage } from '../me/profile-page.tsx';
import { roleName, roleNumber } from '../roles.ts';
import { SelectSetting, TextSetting } from '../saving.tsx';
import { Deactivate, Reactivate, rightsOver } from './people-page.tsx';

/** The profile and role of somebody, for administrators. */
export function PersonPage({ id }: { readonly id: number }) {
  const { model } = useClient();
  const person = model.people.table.get(id);
  // Members change their own profile with other calls than administrators do, and may change more of it.
  if (id === model.me && model.facts.get('is_admin') !== true) return <ProfilePage />;
  return (
    <>
      <div class="toolbar">
        <LinkButton icon="back" href={`#organization/users/${person?.isActive === false ? 'deactivated' : 'active'}`}>
          {t('people.all')}
        </LinkButton>
      </div>
      {person?.user.is_bot === false ? (
        <KnownPerson id={id} person={person} />
      ) : (
        <EmptyView title={t('people.unknown')} text={t('people.unknownHint')} />
      )}
    </>
  );
}

function KnownPerson({ id, person: { user, isActive } }: { readonly id: number; readonly person: Person }) {
  const client = useClient();
  const { api } = client;
  const { isAdmin, mayChange, options } = rightsOver(client, user.role);
  const update = (change: object) => api.callAny('PATCH', '/users/{user_id}', { user_id: id, ...change });
  const setRole = async (value: string) => {
    const [before, role] = [user.role, roleNumber(value)];
    await update({ role });
    const text = t('undo.role', { name: user.full_name, role: roleName(role) });
    offerUndo(client, text, () => update({ role: before }), `role ${id}`);
  };
  return (
    <>
      <div class="pic-row">
        <Avatar face={faceOf(client, id)} size={96} />
        <div>
          <p dir="auto">
            <b>{user.full_name}</b>
          </p>
          <p class="hint" dir="auto">
            {user.delivery_email}
          </p>
          {!isActive && <p class="hint">{t('card.deactivated')}</p>}
        </div>
      </div>
      <div class="set-sec">
        <TextSetting
          label={t('me.name')}
          value={user.full_name}
          maxLength={100}
          fixedBy={isAdmin ? undefined : t('group.administrators')}
          onSave={(full_name) => update({ full_name })}
        />
        <SelectSetting
          label={t('me.role')}
          value={`${roleNumber(String(user.role))}`}
          options={mayChange ? options : [{ value: `${roleNumber(String(user.role))}`, label: roleName(user.role) }]}
          fixedBy={mayChange ? undefined : t(isAdmin ? 'group.owners' : 'group.administrators')}
          onSave={setRole}
        />
      </div>
      <ProfileFields
        id={id}
        onSave={(field, value) => update({ profile_data: [{ id: field, value: value.length === 0 ? '' : value }] })}
      />
      {mayChange && id !== client.model.me && (
        <SettingsSection id="person-account" title={t('people.account')}>
          <div class="toolbar">
            {isActive ? <Deactivate id={id} name={user.full_name} /> : <Reactivate id={id} name={user.full_name} />}
          </div>
        </SettingsSection>
      )}
    </>
  );
}
