import { useState } from 'preact/hooks';
import { type Client, useClient } from '../../../client/index.ts';
import { Button, Dialog, EmptyView, Field, FieldError, Icon, TextInput } from '../../../ui/index.ts';
import { t } from '../../../words/managing.ts';
import { Filters, ListPage } from '../../lists/rows.tsx';
import { Head, PlainTitle } from '../../shell/head.tsx';
import { holds } from '../rights.ts';
import { useSaver } from '../saving.tsx';
import { membersOf, ownGroups } from './group.ts';

const FILTERS = ['all', 'your', 'deactivated'] as const;

/** Every group that the organization made; those of the roles are not listed. */
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
      <Head tools={<NewGroupButton />}>
        <a class="icon-btn" href="#" aria-label={t('common.back')}>
          <Icon name="back" />
        </a>
        <PlainTitle>{t('nav.groups')}</PlainTitle>
      </Head>
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
                  <small dir="auto">{group.description}</small>
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

function mayCreateGroups(client: Client): boolean {
  return holds(client, client.model.facts.get('realm_can_create_groups'));
}

/** Leads to the dialog; who may make no group is told so. */
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

function CreateGroup({ onClose }: { readonly onClose: () => void }) {
  const client = useClient();
  const [name, setName] = useState('');
  const [description, setDescription] = useState('');
  const { isBusy, error, save } = useSaver();
  const create = () =>
    void save(async () => {
      const members = [client.model.me];
      const { group_id } = await client.api.call('POST', '/user_groups/create', { name, description, members });
      location.hash = `#groups/${group_id}/-/members`;
    });
  return (
    <Dialog
      title={t('groups.new')}
      onClose={onClose}
      onSubmit={create}
      foot={
        <>
          <Button look="primary" submit busy={isBusy}>
            {t('groups.create')}
          </Button>
          <Button onPress={onClose}>{t('common.cancel')}</Button>
        </>
      }
    >
      <Field label={t('groups.name')} hint={t('groups.nameHint')}>
        {(names) => <TextInput {...names} value={name} required maxLength={100} onText={setName} />}
      </Field>
      <Field label={t('groups.description')}>
        {(names) => <TextInput {...names} value={description} maxLength={1024} onText={setDescription} />}
      </Field>
      {error !== undefined && <FieldError id="new-group-error" text={error} />}
    </Dialog>
  );
}
