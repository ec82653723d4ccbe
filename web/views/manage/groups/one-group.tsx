import { useState } from 'preact/hooks';
import { type Client, useClient } from '../../../client/index.ts';
import { SettingsSection } from '../../../settings/index.ts';
import { Avatar, Button, Dialog, EmptyView, FieldError, Icon, Tabs } from '../../../ui/index.ts';
import { t } from '../../../words/index.ts';
import { faceOf } from '../../shown.ts';
import { ManagePage } from '../page.tsx';
import { PermissionSetting } from '../permission-setting.tsx';
import { type Choice, groupsToChoose, peopleToChoose, Picker } from '../picker.tsx';
import { groupName, holds } from '../rights.ts';
import { TextSetting, useSaver } from '../saving.tsx';
import { NewGroupButton } from './all-groups.tsx';
import { type Group, groupsBelow, groupWith, membersOf, ownGroups } from './group.ts';

const TABS = { general: GeneralTab, members: MembersTab, permissions: PermissionsTab } as const;
type TabKey = keyof typeof TABS;
const KEYS = ['general', 'members', 'permissions'] as const;
const PERMISSIONS = [
  'can_manage_group',
  'can_add_members_group',
  'can_remove_members_group',
  'can_join_group',
  'can_leave_group',
  'can_mention_group',
] as const;
/** Most people of a list that are drawn. */
const MAX_SHOWN = 200;

interface OneGroupProps {
  readonly id: number;
  readonly tab: string;
}

/** A group with all that can be set in it. */
export function OneGroup({ id, tab }: OneGroupProps) {
  const client = useClient();
  const group = groupWith(client, id);
  const current: TabKey = KEYS.find((key) => key === tab) ?? 'general';
  const Shown = TABS[current];
  const pages = ownGroups(client)
    .filter((one) => !one.deactivated || one.id === id)
    .map((one) => ({
      href: addressOf(one.id, current),
      label: one.name,
      icon: 'people' as const,
      isCurrent: one.id === id,
    }));
  return (
    <ManagePage
      label={t('nav.groups')}
      start="#groups"
      back="#groups"
      backLabel={t('common.back')}
      groups={[{ pages }]}
      placeholder={t('groups.find')}
      page={group ? groupName(client, id) : t('nav.groups')}
      tools={<NewGroupButton />}
    >
      {group ? (
        <>
          <div class="ch-head">
            <Icon name="people" />
            <h2 class="display grow" dir="auto">
              {groupName(client, id)}
            </h2>
            <Membership group={group} />
          </div>
          <Tabs
            label={t('groups.parts')}
            current={addressOf(id, current)}
            tabs={KEYS.map((key) => ({
              label: t(`groups.tab.${key}`),
              href: addressOf(id, key),
              count: key === 'members' ? membersOf(client, group).size : undefined,
            }))}
          />
          <Shown key={`${id}-${current}`} group={group} fixedBy={fixedBy(client, group)} />
        </>
      ) : (
        <EmptyView title={t('groups.unknown')} text={t('groups.unknownHint')} />
      )}
    </ManagePage>
  );
}

function addressOf(id: number, tab: string): string {
  return `#groups/${id}/-/${tab}`;
}

function mayManage(client: Client, group: Group): boolean {
  if (group.is_system_group) return false;
  return holds(client, group.can_manage_group) || holds(client, client.model.facts.get('realm_can_manage_all_groups'));
}

/** Who may change the group, where the viewer may not. */
function fixedBy(client: Client, group: Group): string | undefined {
  return mayManage(client, group) ? undefined : t('groups.managers');
}

interface TabProps {
  readonly group: Group;
  readonly fixedBy: string | undefined;
}

function GeneralTab({ group, fixedBy: by }: TabProps) {
  const client = useClient();
  const update = (change: { readonly name?: string; readonly description?: string; readonly deactivated?: boolean }) =>
    client.api.call('PATCH', '/user_groups/{user_group_id}', { user_group_id: group.id, ...change });
  const end = useSaver();
  return (
    <>
      <div class="set-sec">
        <TextSetting
          label={t('groups.name')}
          hint={t('groups.nameHint')}
          value={groupName(client, group.id)}
          maxLength={100}
          fixedBy={by}
          onSave={(name) => update({ name })}
        />
        <TextSetting
          label={t('groups.description')}
          value={group.description}
          rows={2}
          maxLength={1024}
          fixedBy={by}
          onSave={(description) => update({ description })}
        />
      </div>
      {by === undefined && group.deactivated && (
        <SettingsSection id="gr-end" title={t('groups.isDeactivated')}>
          <Button busy={end.isBusy} onPress={() => void end.save(() => update({ deactivated: false }))}>
            {t('groups.reactivate')}
          </Button>
          {end.error !== undefined && <FieldError id="gr-end-error" text={end.error} />}
        </SettingsSection>
      )}
      {by === undefined && !group.deactivated && <Deactivate group={group} />}
    </>
  );
}

function Deactivate({ group }: { readonly group: Group }) {
  const client = useClient();
  const [isAsking, setAsking] = useState(false);
  const { isBusy, error, save } = useSaver();
  const run = async () => {
    const path = '/user_groups/{user_group_id}/deactivate';
    if (await save(() => client.api.call('POST', path, { user_group_id: group.id }))) setAsking(false);
  };
  return (
    <SettingsSection id="gr-end" title={t('groups.deactivateTitle')} lede={t('groups.deactivateHint')}>
      <Button look="danger" popup="dialog" onPress={() => setAsking(true)}>
        {t('groups.deactivate')}
      </Button>
      {isAsking && (
        <Dialog
          title={t('groups.deactivateAsk', { name: group.name })}
          onClose={() => setAsking(false)}
          foot={
            <>
              <Button look="danger" busy={isBusy} onPress={() => void run()}>
                {t('groups.deactivate')}
              </Button>
              <Button onPress={() => setAsking(false)}>{t('common.cancel')}</Button>
            </>
          }
        >
          <p>{t('groups.deactivateHint')}</p>
          {error !== undefined && <FieldError id="gr-deactivate-error" text={error} />}
        </Dialog>
      )}
    </SettingsSection>
  );
}

function PermissionsTab({ group, fixedBy: by }: TabProps) {
  const client = useClient();
  return (
    <div class="set-sec">
      {PERMISSIONS.map((name) => (
        <PermissionSetting
          key={name}
          of={{ kind: 'group', name }}
          label={t(`perm.${name}`)}
          value={group[name]}
          fixedBy={by}
          onSave={(change) =>
            client.api.callAny('PATCH', '/user_groups/{user_group_id}', { user_group_id: group.id, [name]: change })
          }
        />
      ))}
    </div>
  );
}

type Change = Partial<Record<'add' | 'delete' | 'add_subgroups' | 'delete_subgroups', number[]>>;

function useMembership(group: Group) {
  const client = useClient();
  const saver = useSaver();
  const path = '/user_groups/{user_group_id}/members';
  const change = (change: Change) =>
    saver.save(() => client.api.callAny('POST', path, { user_group_id: group.id, ...change }));
  return { ...saver, change };
}

function MembersTab({ group, fixedBy: by }: TabProps) {
  const client = useClient();
  const { change, isBusy, isSaved, error } = useMembership(group);
  const [anchor, setAnchor] = useState<HTMLElement | undefined>();
  const isClosed = group.deactivated || group.is_system_group;
  const mayAdd = !isClosed && (by === undefined || holds(client, group.can_add_members_group));
  const mayRemove = !isClosed && (by === undefined || holds(client, group.can_remove_members_group));
  const add = ({ kind, id }: Choice) => {
    setAnchor(undefined);
    void change(kind === 'group' ? { add_subgroups: [id] } : { add: [id] });
  };
  const choices = anchor
    ? [
        ...peopleToChoose(client, new Set(group.members.map(Number))),
        ...groupsToChoose(client, ({ id }) => !groupsBelow(client, group).has(id) && mayNest(client, id, group)),
      ]
    : [];
  const people = group.members.map((id) => faceOf(client, id)).toSorted((a, b) => a.name.localeCompare(b.name));
  return (
    <SettingsSection id="gr-members" title={t('groups.tab.members')}>
      <div class="row-end">
        <Button
          icon="plus"
          popup="dialog"
          refusal={mayAdd ? undefined : t('manage.onlyBy', { name: t('groups.managers') })}
          onPress={(event) => event.currentTarget instanceof HTMLElement && setAnchor(event.currentTarget)}
        >
          {t('groups.add')}
        </Button>
        {isSaved && <span role="status">{t('common.saved')}</span>}
      </div>
      {anchor && (
        <Picker
          label={t('groups.add')}
          anchor={anchor}
          choices={choices}
          onChoose={add}
          onClose={() => setAnchor(undefined)}
        />
      )}
      {error !== undefined && <FieldError id="gr-members-error" text={error} />}
      <ul class="rows">
        {group.direct_subgroup_ids.map((id) => (
          <li key={`group-${id}`}>
            <Icon name="people" />
            <a class="grow" href={addressOf(id, 'members')} dir="auto">
              {groupName(client, id)}
            </a>
            {mayRemove && (
              <RemoveButton
                name={groupName(client, id)}
                isBusy={isBusy}
                onRemove={() => void change({ delete_subgroups: [id] })}
              />
            )}
          </li>
        ))}
        {people.slice(0, MAX_SHOWN).map((face) => (
          <li key={face.id}>
            <Avatar face={face} size={32} />
            <b class="grow" dir="auto">
              {face.name}
            </b>
            {mayRemove && (
              <RemoveButton name={face.name} isBusy={isBusy} onRemove={() => void change({ delete: [face.id] })} />
            )}
          </li>
        ))}
      </ul>
      {people.length + group.direct_subgroup_ids.length === 0 && <p class="hint">{t('settings.nobody')}</p>}
      {people.length > MAX_SHOWN && <p class="hint">{t('people.more', { count: people.length - MAX_SHOWN })}</p>}
    </SettingsSection>
  );
}

/** A group cannot be inside one that is inside it. */
function mayNest(client: Client, id: number, into: Group): boolean {
  const group = groupWith(client, id);
  return group !== undefined && group.name !== 'role:nobody' && !groupsBelow(client, group).has(into.id);
}

interface RemoveProps {
  readonly name: string;
  readonly isBusy: boolean;
  readonly onRemove: () => void;
}

function RemoveButton({ name, isBusy, onRemove }: RemoveProps) {
  return (
    <Button small look="ghost" busy={isBusy} label={t('common.remove', { name })} onPress={onRemove}>
      {t('people.remove')}
    </Button>
  );
}

/** Joining and leaving by oneself. */
function Membership({ group }: { readonly group: Group }) {
  const client = useClient();
  const { change, isBusy, error } = useMembership(group);
  const { me } = client.model;
  const isIn = group.members.some((id) => id === me);
  if (group.deactivated || group.is_system_group) return null;
  const may = isIn
    ? holds(client, group.can_leave_group) || holds(client, group.can_remove_members_group)
    : holds(client, group.can_join_group) || holds(client, group.can_add_members_group);
  if (!may && !mayManage(client, group)) return null;
  return (
    <>
      <Button small busy={isBusy} onPress={() => void change(isIn ? { delete: [me] } : { add: [me] })}>
        {isIn ? t('groups.leave') : t('groups.join')}
      </Button>
      {error !== undefined && <FieldError id="gr-own-error" text={error} />}
    </>
  );
}
