import { Role } from '#kernel/permissions';
import { useState } from 'preact/hooks';
import { type Client, useClient } from '../../../client/index.ts';
import { mayIn, type Person } from '../../../model/index.ts';
import { Avatar, Button, Dialog, LinkButton, Tag } from '../../../ui/index.ts';
import { FieldError, SearchInput, Select } from '../../../ui/field.tsx';
import { Tabs } from '../../../ui/tabs.tsx';
import { t } from '../../../words/deferred.ts';
import { faceOf } from '../../shown.ts';
import { offerUndo } from '../../undoing.ts';
import { LongRows } from '../long-rows.tsx';
import { personAddress } from '../person-address.ts';
import { peopleByName } from '../people-by-name.ts';
import { type RoleNumber, roleName, roleNumber, roleOptions } from '../roles.ts';
import { useSaver } from '../saving.tsx';

/** All people with their roles, or those whose accounts are deactivated. */
export function PeoplePage({ isActive }: { readonly isActive: boolean }) {
  const client = useClient();
  const [query, setQuery] = useState('');
  const wanted = query.trim().toLocaleLowerCase();
  const people = peopleByName(client).filter(({ person }) => !person.user.is_bot);
  const listed = people.filter(({ person, words }) => person.isActive === isActive && words.includes(wanted));
  const { facts } = client.model;
  const isAdmin = facts.get('is_admin') === true;
  const mayInvite = mayIn(facts, 'realm_can_invite_users_group') || mayIn(facts, 'realm_create_multiuse_invite_group');
  return (
    <>
      <p class="set-lede">{isAdmin ? t('people.lede') : t('manage.onlyBy', { name: t('group.administrators') })}</p>
      <Tabs
        label={t('org.people')}
        current={isActive ? '#organization/users/active' : '#organization/users/deactivated'}
        tabs={[
          {
            label: t('people.active'),
            href: '#organization/users/active',
            count: people.filter(({ person }) => person.isActive).length,
          },
          {
            label: t('people.deactivated'),
            href: '#organization/users/deactivated',
            count: people.filter(({ person }) => !person.isActive).length,
          },
        ]}
      />
      <div class="toolbar">
        <SearchInput label={t('people.find')} placeholder={t('people.findHint')} value={query} onText={setQuery} />
        {mayInvite && (
          <LinkButton look="primary" icon="plus" href="#organization/invites">
            {t('org.invite')}
          </LinkButton>
        )}
      </div>
      <LongRows
        class="people"
        rows={listed}
        keyOf={({ id }) => id}
        draw={({ id, person }) => <PersonRow key={id} id={id} person={person} />}
      />
      {listed.length === 0 && <p class="hint">{t('people.nobody')}</p>}
    </>
  );
}

function PersonRow({ id, person: { user, isActive } }: { readonly id: number; readonly person: Person }) {
  const client = useClient();
  const { error, saveNewest } = useSaver();
  const setRole = (role: RoleNumber) => () => client.api.call('PATCH', '/users/{user_id}', { user_id: id, role });
  const change = async (value: string) => {
    const [before, next] = [roleNumber(String(user.role)), roleNumber(value)];
    if (!(await saveNewest(setRole(next)))) return;
    const text = t('undo.role', { name: user.full_name, role: roleName(next) });
    offerUndo(client, text, setRole(before), `role ${id}`);
  };
  const { isAdmin, mayChange, options } = rightsOver(client, user.role);
  return (
    <li>
      <Avatar face={faceOf(client, id)} size={32} presence={isActive ? client.model.presences.of(id) : undefined} />
      <span class="grow">
        <b>
          {isAdmin ? (
            <a href={personAddress(id)} dir="auto">
              {user.full_name}
            </a>
          ) : (
            <span dir="auto">{user.full_name}</span>
          )}
          {id === client.model.me && <Tag>{t('person.you')}</Tag>}
        </b>
        <small dir="auto">{user.delivery_email}</small>
        {error !== undefined && <FieldError id={`person-${id}`} text={error} />}
      </span>
      {isActive && mayChange && (
        <Select
          isAtOnce
          label={t('people.roleOf', { name: user.full_name })}
          options={options}
          value={`${roleNumber(String(user.role))}`}
          onChange={(value) => void change(value)}
        />
      )}
      {!mayChange && <span class="val">{roleName(user.role)}</span>}
      {mayChange && isActive && id !== client.model.me && <Deactivate id={id} name={user.full_name} />}
      {mayChange && !isActive && <Reactivate id={id} name={user.full_name} />}
    </li>
  );
}

/** What the viewer may change of somebody with a role: only owners may make, change and deactivate owners. */
export function rightsOver({ model }: Client, role: number) {
  const isOwner = model.facts.get('is_owner') === true;
  const isAdmin = model.facts.get('is_admin') === true;
  return {
    isAdmin,
    mayChange: isOwner || (isAdmin && role !== Role.owner),
    options: roleOptions().filter(({ value }) => isOwner || value !== `${Role.owner}`),
  };
}

export function Reactivate({ id, name }: { readonly id: number; readonly name: string }) {
  const { api } = useClient();
  const { isBusy, error, save } = useSaver();
  const run = () => void save(() => api.call('POST', '/users/{user_id}/reactivate', { user_id: id }));
  return (
    <>
      <Button small busy={isBusy} label={t('people.reactivateName', { name })} onPress={run}>
        {t('people.reactivate')}
      </Button>
      {error !== undefined && <FieldError id={`reactivate-${id}`} text={error} />}
    </>
  );
}

export function Deactivate({ id, name }: { readonly id: number; readonly name: string }) {
  const client = useClient();
  const [isAsking, setAsking] = useState(false);
  const { isBusy, error, save } = useSaver();
  const run = async () => {
    if (await save(() => client.api.call('DELETE', '/users/{user_id}', { user_id: id }))) setAsking(false);
  };
  return (
    <>
      <Button small look="ghost" label={t('people.deactivateName', { name })} onPress={() => setAsking(true)}>
        {t('people.deactivate')}
      </Button>
      {isAsking && (
        <Dialog
          title={t('people.deactivateAsk', { name })}
          onClose={() => setAsking(false)}
          foot={
            <>
              <Button look="danger" busy={isBusy} onPress={() => void run()}>
                {t('people.deactivate')}
              </Button>
              <Button onPress={() => setAsking(false)}>{t('common.cancel')}</Button>
            </>
          }
        >
          <p>{t('people.deactivateHint')}</p>
          {error !== undefined && <FieldError id="deactivate-error" text={error} />}
        </Dialog>
      )}
    </>
  );
}
