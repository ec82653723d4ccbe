import { useState } from 'preact/hooks';
import { hashOf } from '../../../addresses/index.ts';
import { useClient } from '../../../client/index.ts';
import type { Channel } from '../../../model/index.ts';
import { ChannelIcon } from '../../../ui/channel-icon.tsx';
import { Button, Dialog, EmptyView, FieldError, LinkButton, Tabs } from '../../../ui/index.ts';
import { t } from '../../../words/managing.ts';
import { channelLook } from '../../shown.ts';
import { offerUndo } from '../../undoing.ts';
import { ManagePage, useIsPhone } from '../page.tsx';
import { mayAdministerChannel, mayReadChannel } from '../rights.ts';
import { useSaver } from '../saving.tsx';
import { NewChannelButton } from './all-channels.tsx';
import { GeneralTab } from './general-tab.tsx';
import { PermissionsTab } from './permissions-tab.tsx';
import { PersonalTab } from './personal-tab.tsx';
import { RulesTab } from './rules-tab.tsx';
import { SubscribersTab } from './subscribers-tab.tsx';

interface OneChannelProps {
  readonly id: number;
  readonly tab: string;
}

/** A channel with all that can be set in it. */
export function OneChannel({ id, tab }: OneChannelProps) {
  const client = useClient();
  const isPhone = useIsPhone();
  const all = [...client.model.channels.table.all].filter(([, { channel }]) => !channel.is_archived);
  const pages = all
    .map(([one]) => ({
      href: addressOf(one, tab),
      label: channelLook(client, one).name,
      channel: channelLook(client, one),
      isCurrent: one === id,
    }))
    .toSorted((a, b) => a.label.localeCompare(b.label));
  const row = client.model.channels.table.get(id);
  return (
    <ManagePage
      label={t('nav.channels')}
      start="#channels"
      back="#channels"
      backLabel={t('common.back')}
      groups={[{ pages }]}
      placeholder={t('channels.filterAll')}
      page={channelLook(client, id).name}
      tools={isPhone && row ? <Membership row={row} /> : <NewChannelButton />}
    >
      {row ? (
        <Body id={id} row={row} tab={tab} />
      ) : (
        <EmptyView title={t('channels.unknown')} text={t('channels.unknownHint')} />
      )}
    </ManagePage>
  );
}

function addressOf(id: number, tab: string): string {
  return `#channels/${id}/-/${tab}`;
}

export interface ChannelTabProps {
  readonly id: number;
  readonly row: Channel;
  /** Who may change the channel, where the viewer may not. */
  readonly fixedBy: string | undefined;
}

const TABS = {
  general: GeneralTab,
  permissions: PermissionsTab,
  subscribers: SubscribersTab,
  rules: RulesTab,
  personal: PersonalTab,
} as const;
type TabKey = keyof typeof TABS;
const isTab = (key: string): key is TabKey => key in TABS;

function Body({ id, row, tab }: OneChannelProps & { readonly row: Channel }) {
  const client = useClient();
  const isPhone = useIsPhone();
  const look = channelLook(client, id);
  const current: TabKey = isTab(tab) && (tab !== 'personal' || row.tie === 'subscribed') ? tab : 'general';
  const Shown = TABS[current];
  const keys = (['general', 'permissions', 'subscribers', 'rules', 'personal'] as const).filter(
    (key) => key !== 'personal' || row.tie === 'subscribed',
  );
  const narrow = [{ operator: 'channel', operand: id }];
  const fixedBy = mayAdministerChannel(client, row) ? undefined : t('channels.admins');
  return (
    <>
      <div class="ch-head">
        <ChannelIcon channel={look} />
        <h2 class="display grow" dir="auto">
          {look.name}
        </h2>
        <LinkButton small href={hashOf({ view: 'narrow', narrow }, client.names)}>
          {t('channels.open')}
        </LinkButton>
        {!isPhone && <Membership row={row} />}
      </div>
      <Tabs
        label={t('channels.parts')}
        current={addressOf(id, current)}
        tabs={keys.map((key) => ({
          label: t(`channels.tab.${key}`),
          href: addressOf(id, key),
          count: key === 'subscribers' ? row.channel.subscriber_count : undefined,
        }))}
      />
      <Shown key={`${id}-${current}`} id={id} row={row} fixedBy={fixedBy} />
    </>
  );
}

/** Joining and leaving. Leaving a channel that one cannot join again is asked twice. */
function Membership({ row }: { readonly row: Channel }) {
  const client = useClient();
  const [isAsking, setAsking] = useState(false);
  const { isBusy, error, save } = useSaver();
  const { name } = row.channel;
  const askToJoin = () => client.api.call('POST', '/users/me/subscriptions', { subscriptions: [{ name }] });
  const join = () => save(askToJoin);
  const leave = async () => {
    if (!(await save(() => client.api.call('DELETE', '/users/me/subscriptions', { subscriptions: [name] })))) return;
    if (!row.channel.invite_only) offerUndo(client, t('undo.left', { name }), askToJoin);
  };
  const isIn = row.tie === 'subscribed';
  if (!isIn && !mayReadChannel(client, row)) return <span class="hint">{t('channels.byInvitation')}</span>;
  const press = () => (isIn ? (row.channel.invite_only ? setAsking(true) : void leave()) : void join());
  return (
    <>
      <Button small busy={isBusy} onPress={press}>
        {isIn ? t('channels.leave') : t('channels.join')}
      </Button>
      {error !== undefined && <FieldError id="membership-error" text={error} />}
      {isAsking && (
        <Dialog
          title={t('channels.leaveTitle', { name })}
          onClose={() => setAsking(false)}
          foot={
            <>
              <Button look="danger" onPress={() => (setAsking(false), void leave())}>
                {t('channels.leave')}
              </Button>
              <Button onPress={() => setAsking(false)}>{t('common.cancel')}</Button>
            </>
          }
        >
          <p>{t('channels.leaveHint')}</p>
        </Dialog>
      )}
    </>
  );
}
