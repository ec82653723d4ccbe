import { useClient } from '../../client/index.ts';
import { Icon, Popover } from '../../ui/index.ts';
import { t } from '../../words/deferred.ts';
import { useAnswer } from '../answer.ts';
import { groupAddress, groupWith, membersOf } from '../manage/groups/group.ts';
import { groupName } from '../manage/rights.ts';
import { closeOverlay, overlay } from '../overlays/open.ts';
import { withoutMarks } from '../manage/groups/without-marks.ts';
import { RenderedBody } from '../rendered-body.tsx';
import { PersonRow } from '../shell/people.tsx';
import { faceOf } from '../shown.ts';

/** Most members that the card names; the group's page lists all. */
const MOST = 6;

/** A group's description. The state has its Markdown, so its HTML is fetched as that of a preview is. */
function Description({ text }: { readonly text: string }) {
  const { api } = useClient();
  const ask = async () => {
    const { rendered } = await api.callAny('POST', '/messages/render', { content: text });
    return typeof rendered === 'string' ? rendered : undefined;
  };
  const { found } = useAnswer(ask, [text]);
  return (
    <div class="status" dir="auto">
      {found === undefined ? <p>{withoutMarks(text)}</p> : <RenderedBody html={found} />}
    </div>
  );
}

/** The card of a group with its members, beside a mention. */
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
      {group.description !== '' && <Description text={group.description} />}
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
