import { useClient } from '../../client/index.ts';
import { Icon, Popover } from '../../ui/index.ts';
import { t } from '../../words/managing.ts';
import { groupAddress, groupWith, membersOf } from '../manage/groups/group.ts';
import { groupName } from '../manage/rights.ts';
import { closeOverlay, overlay } from '../overlays/open.ts';
import { PersonRow } from '../shell/people.tsx';
import { faceOf } from '../shown.ts';

/** Members that the card names; the group's page has all of them. */
const MOST = 6;

/** What a group is and who is in it, beside its mention. */
export function GroupPopover({ anchor, id }: { readonly anchor: HTMLElement; readonly id: number }) {
  const client = useClient();
  const group = groupWith(client, id);
  if (!group) return null;
  const members = [...membersOf(client, group)].filter((one) => client.model.people.table.get(one)?.isActive === true);
  const name = groupName(client, id);
  return (
    <Popover anchor={anchor} onClose={closeOverlay} class="ucard" role="dialog" label={name}>
      <div class="who-line">
        <span class="gmark" aria-hidden="true">
          <Icon name="people" />
        </span>
        <div class="grow">
          <h2 dir="auto">{name}</h2>
          <p class="quiet">{t('groups.members', { count: members.length })}</p>
        </div>
      </div>
      {group.description !== '' && (
        <p class="status">
          <span dir="auto">{group.description}</span>
        </p>
      )}
      <ul>
        {members.slice(0, MOST).map((one) => (
          <PersonRow
            key={one}
            face={faceOf(client, one)}
            presence={client.model.presences.of(one)}
            onOpen={() => (overlay.value = { what: 'person', anchor, id: one })}
          />
        ))}
      </ul>
      {!group.is_system_group && (
        <a class="btn block" href={groupAddress(id, 'members')} onClick={closeOverlay}>
          {t('card.openGroup')}
        </a>
      )}
    </Popover>
  );
}
