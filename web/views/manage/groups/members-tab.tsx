import { useState } from 'preact/hooks';
import { type Client, useClient } from '../../../client/index.ts';
import { SettingsSection } from '../../../settings/index.ts';
import { Button } from '../../../ui/index.ts';
import { FieldError } from '../../../ui/field.tsx';
import { t } from '../../../words/deferred.ts';
import { faceOf } from '../../shown.ts';
import { GroupMark, MemberRow, MemberRows } from '../member-rows.tsx';
import { type Choice, groupsToChoose, Picker, peopleToChoose } from '../picker.tsx';
import { groupName, holds } from '../rights.ts';
import { useSaver } from '../saving.tsx';
import { type Group, type GroupTabProps, groupAddress, groupsBelow, groupWith } from './group.ts';

type Change = Partial<Record<'add' | 'delete' | 'add_subgroups' | 'delete_subgroups', number[]>>;

/** Changes the members of a group. */
export function useMembership(group: Group) {
  const client = useClient();
  const saver = useSaver();
  const path = '/user_groups/{user_group_id}/members';
  const ask = (change: Change) => client.api.callAny('POST', path, { user_group_id: group.id, ...change });
  return { ...saver, ask, change: (change: Change) => saver.save(() => ask(change)) };
}

/** The members of a group, with ways to add and remove some. */
export function MembersTab({ group, fixedBy: by }: GroupTabProps) {
  const client = useClient();
  const { change, ask, isSaved, error } = useMembership(group);
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
  const people = group.members.map((id) => faceOf(client, id));
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
      <MemberRows
        people={people}
        onRemove={mayRemove ? (id) => ask({ delete: [id] }) : undefined}
        before={group.direct_subgroup_ids.map((id) => (
          <MemberRow
            key={`group-${id}`}
            lead={<GroupMark />}
            name={groupName(client, id)}
            remove={mayRemove ? () => ask({ delete_subgroups: [id] }) : undefined}
          >
            <a href={groupAddress(id, 'members')} dir="auto">
              {groupName(client, id)}
            </a>
          </MemberRow>
        ))}
      />
      {people.length + group.direct_subgroup_ids.length === 0 && <p class="hint">{t('settings.nobody')}</p>}
    </SettingsSection>
  );
}

/** Whether a group may be nested in another: not if that one is nested in it. */
function mayNest(client: Client, id: number, into: Group): boolean {
  const group = groupWith(client, id);
  return group !== undefined && group.name !== 'role:nobody' && !groupsBelow(client, group).has(into.id);
}
