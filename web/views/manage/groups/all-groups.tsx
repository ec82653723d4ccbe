import { useState } from 'preact/hooks';
import { useClient } from '../../../client/index.ts';
import { Button, EmptyView, Icon } from '../../../ui/index.ts';
import { TextInput } from '../../../ui/field.tsx';
import { t } from '../../../words/deferred.ts';
import { Filters, ListPage } from '../../lists/rows.tsx';
import { forgetTyped, useTyped } from '../../typed.tsx';
import { FormField } from '../form-field.tsx';
import { AskDialog } from '../list-page.tsx';
import { ManageHead } from '../page.tsx';
import { mayCreateGroups } from '../rights.ts';
import { useSaver } from '../saving.tsx';
import { membersOf, ownGroups } from './group.ts';
import { withoutMarks } from './without-marks.ts';

const FILTERS = ['all', 'your', 'deactivated'] as const;

/** All groups of the organization, without those of roles. */
export function AllGroups({ section }: { readonly section: string }) {
  const client = useClient();
  const [query, setQuery] = useState('');
  const filter = FILTERS.find((one) => one === section) ?? 'all';
  const wanted = query.trim().toLocaleLowerCase();
  const shown = ownGroups(client)
    .filter((group) => group.deactivated === (filter === 'deactivated'))
    .filter((group) => filter !== 'your' || membersOf(client, group).has(client.model.me))
    .filter(({ name, description }) => `${name}\n${description}`.toLocaleLowerCase().includes(wanted));
  return (
    <>
      <ManageHead title={t('nav.groups')} tools={<NewGroupButton />} />
      <ListPage label={t('nav.groups')}>
        <Filters
          filters={FILTERS.map((key) => ({ key, label: t(`groups.filter.${key}`), isOn: key === filter }))}
          onFilter={(key) => (location.hash = `#groups/${key}`)}
          query={query}
          onQuery={setQuery}
          placeholder={t('groups.find')}
        />
        {shown.length === 0 && <EmptyView title={t('groups.none')} text={t('groups.noneHint')} />}
        <ul class="rows links">
          {shown.map((group) => (
            <li key={group.id}>
              <a href={`#groups/${group.id}/-/general`}>
                <Icon name="people" />
                <span class="grow">
                  <b dir="auto">{group.name}</b>
                  <small dir="auto">{withoutMarks(group.description)}</small>
                </span>
                <span class="val">{t('groups.members', { count: membersOf(client, group).size })}</span>
              </a>
            </li>
          ))}
        </ul>
      </ListPage>
      {section === 'new' && <CreateGroup onClose={() => (location.hash = '#groups')} />}
    </>
  );
}

/** Opens the dialog; says why not to somebody who may create no group. */
export function NewGroupButton() {
  const client = useClient();
  return (
    <Button
      small
      look="primary"
      icon="plus"
      refusal={mayCreateGroups(client) ? undefined : t('groups.mayNotCreate')}
      onPress={() => (location.hash = '#groups/new')}
    >
      {t('groups.new')}
    </Button>
  );
}

const FORM = 'group';

function CreateGroup({ onClose }: { readonly onClose: () => void }) {
  const client = useClient();
  const [name, setName] = useTyped(FORM, 'name', '');
  const [description, setDescription] = useTyped(FORM, 'description', '');
  const { save, ...saver } = useSaver();
  const create = () =>
    void save(async () => {
      const members = [client.model.me];
      const { group_id } = await client.api.call('POST', '/user_groups/create', { name, description, members });
      forgetTyped(FORM);
      location.hash = `#groups/${group_id}/-/members`;
    });
  return (
    <AskDialog
      {...saver}
      title={t('groups.new')}
      way={t('groups.create')}
      form={FORM}
      onClose={onClose}
      onSubmit={create}
    >
      <FormField of="name" words={/^User group/} label={t('groups.name')} hint={t('groups.nameHint')}>
        {(names) => <TextInput {...names} value={name} required maxLength={100} onText={setName} />}
      </FormField>
      <FormField of="description" label={t('groups.description')}>
        {(names) => <TextInput {...names} value={description} maxLength={1024} onText={setDescription} />}
      </FormField>
    </AskDialog>
  );
}
