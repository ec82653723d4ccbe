import { type Client, useClient } from '../../../client/index.ts';
import { Button, EmptyView, Icon } from '../../../ui/index.ts';
import { Tabs } from '../../../ui/tabs.tsx';
import { t } from '../../../words/deferred.ts';
import { ManagePage, useIsPhone } from '../page.tsx';
import { groupName, holds } from '../rights.ts';
import { useHeadAction } from '../saving.tsx';
import { NewGroupButton } from './all-groups.tsx';
import { GeneralTab } from './general-tab.tsx';
import { type Group, groupAddress, groupWith, membersOf, ownGroups } from './group.ts';
import { MembersTab, useMembership } from './members-tab.tsx';
import { PermissionsTab } from './permissions-tab.tsx';

const TABS = { general: GeneralTab, members: MembersTab, permissions: PermissionsTab } as const;
type TabKey = keyof typeof TABS;
const KEYS = ['general', 'members', 'permissions'] as const;

interface OneGroupProps {
  readonly id: number;
  readonly tab: string;
}

/** The settings of one group. */
export function OneGroup({ id, tab }: OneGroupProps) {
  const client = useClient();
  const isPhone = useIsPhone();
  const group = groupWith(client, id);
  const current: TabKey = KEYS.find((key) => key === tab) ?? 'general';
  const Shown = TABS[current];
  const pages = ownGroups(client)
    .filter((one) => !one.deactivated || one.id === id)
    .map((one) => ({
      href: groupAddress(one.id, current),
      label: one.name,
      icon: 'people' as const,
      isCurrent: one.id === id,
    }));
  return (
    <ManagePage
      label={t('nav.groups')}
      start="#groups"
      groups={[{ pages }]}
      placeholder={t('groups.find')}
      page={group ? groupName(client, id) : t('nav.groups')}
      tools={isPhone && group ? <Membership group={group} /> : <NewGroupButton />}
    >
      {group ? (
        <>
          <div class="ch-head">
            <Icon name="people" />
            <h2 class="display grow" dir="auto">
              {groupName(client, id)}
            </h2>
            {!isPhone && <Membership group={group} />}
          </div>
          <Tabs
            label={t('groups.parts')}
            current={groupAddress(id, current)}
            tabs={KEYS.map((key) => ({
              label: t(`groups.tab.${key}`),
              href: groupAddress(id, key),
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

function mayManage(client: Client, group: Group): boolean {
  if (group.is_system_group) return false;
  return holds(client, group.can_manage_group) || holds(client, client.model.facts.get('realm_can_manage_all_groups'));
}

/** Who may change the group, if the viewer may not. */
function fixedBy(client: Client, group: Group): string | undefined {
  return mayManage(client, group) ? undefined : t('groups.managers');
}

/** Buttons by which the viewer joins and leaves. */
function Membership({ group }: { readonly group: Group }) {
  const client = useClient();
  const { ask } = useMembership(group);
  const { isBusy, run } = useHeadAction();
  const { me } = client.model;
  const isIn = group.members.some((id) => id === me);
  if (group.deactivated || group.is_system_group) return null;
  const may = isIn
    ? holds(client, group.can_leave_group) || holds(client, group.can_remove_members_group)
    : holds(client, group.can_join_group) || holds(client, group.can_add_members_group);
  if (!may && !mayManage(client, group)) return null;
  return (
    <Button small busy={isBusy} onPress={() => void run(() => ask(isIn ? { delete: [me] } : { add: [me] }))}>
      {isIn ? t('groups.leave') : t('groups.join')}
    </Button>
  );
}
