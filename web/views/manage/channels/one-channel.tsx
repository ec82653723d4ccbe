import { useState } from 'preact/hooks';
import { hashOf } from '../../../addresses/index.ts';
import { type Client, useClient } from '../../../client/index.ts';
import type { Channel } from '../../../model/index.ts';
import { ChannelIcon } from '../../../ui/channel-icon.tsx';
import { Button, EmptyView, LinkButton } from '../../../ui/index.ts';
import { Tabs } from '../../../ui/tabs.tsx';
import { t } from '../../../words/deferred.ts';
import { channelLook } from '../../shown.ts';
import { offerUndo } from '../../undoing.ts';
import { FormDialog } from '../list-page.tsx';
import { ManagePage, useIsPhone } from '../page.tsx';
import { mayAdministerChannel, mayJoinChannel } from '../rights.ts';
import { useHeadAction } from '../saving.tsx';
import { NewChannelButton } from './all-channels.tsx';
import { GeneralTab } from './general-tab.tsx';
import { PermissionsTab } from './permissions-tab.tsx';
import { PersonalTab } from './personal-tab.tsx';
import { RulesTab } from './rules-tab.tsx';
import { SubscribersTab } from './subscribers-tab.tsx';
import { compareNames } from '../../../words/index.ts';

interface OneChannelProps {
  readonly id: number;
  readonly tab: string;
}

/** The settings of one channel. */
export function OneChannel({ id, tab }: OneChannelProps) {
  const client = useClient();
  const isPhone = useIsPhone();
  const [isLeaving, setLeaving] = useState(false);
  const onAsk = () => setLeaving(true);
  const all = [...client.model.channels.table.all].filter(([, { channel }]) => !channel.is_archived);
  const pages = all
    .map(([one]) => ({
      href: addressOf(one, tab),
      label: channelLook(client, one).name,
      channel: channelLook(client, one),
      isCurrent: one === id,
    }))
    .toSorted((a, b) => compareNames(a.label, b.label));
  const row = client.model.channels.table.get(id);
  return (
    <ManagePage
      label={t('nav.channels')}
      start="#channels"
      groups={[{ pages }]}
      placeholder={t('channels.filterAll')}
      page={channelLook(client, id).name}
      tools={isPhone && row ? <ChannelActions id={id} row={row} onAsk={onAsk} /> : <NewChannelButton />}
    >
      {row ? (
        <Body id={id} row={row} tab={tab} onAsk={onAsk} />
      ) : (
        <EmptyView title={t('channels.unknown')} text={t('channels.unknownHint')} />
      )}
      {row && isLeaving && <LeaveDialog name={row.channel.name} onClose={() => setLeaving(false)} />}
    </ManagePage>
  );
}

function addressOf(id: number, tab: string): string {
  return `#channels/${id}/-/${tab}`;
}

export interface ChannelTabProps {
  readonly id: number;
  readonly row: Channel;
  /** Who may change the channel, if the viewer may not. */
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

function Body({ id, row, tab, onAsk }: OneChannelProps & MembershipProps) {
  const client = useClient();
  const isPhone = useIsPhone();
  const look = channelLook(client, id);
  const current: TabKey = isTab(tab) && (tab !== 'personal' || row.membership === 'subscribed') ? tab : 'general';
  const Shown = TABS[current];
  const keys = (['general', 'permissions', 'subscribers', 'rules', 'personal'] as const).filter(
    (key) => key !== 'personal' || row.membership === 'subscribed',
  );
  const fixedBy = mayAdministerChannel(client, row) ? undefined : t('channels.admins');
  return (
    <>
      <div class="ch-head">
        <ChannelIcon channel={look} />
        <h2 class="display grow" dir="auto">
          {look.name}
        </h2>
        {!isPhone && <ChannelActions id={id} row={row} onAsk={onAsk} />}
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

interface MembershipProps {
  readonly row: Channel;
  /** Asks before the viewer leaves a channel that they could not join again. */
  readonly onAsk: () => void;
}

/** The buttons to open the channel, and to join or leave it. */
function ChannelActions({ id, ...membership }: MembershipProps & { readonly id: number }) {
  const { names } = useClient();
  const narrow = [{ operator: 'channel', operand: id }];
  return (
    <>
      <LinkButton small href={hashOf({ view: 'narrow', narrow }, names)}>
        {t('channels.open')}
      </LinkButton>
      <Membership {...membership} />
    </>
  );
}

/** Buttons to join and to leave. */
function Membership({ row, onAsk }: MembershipProps) {
  const client = useClient();
  const { isBusy, run } = useHeadAction();
  const { name } = row.channel;
  const askToJoin = () => client.api.call('POST', '/users/me/subscriptions', { subscriptions: [{ name }] });
  const join = () => run(askToJoin);
  const leave = async () => {
    if (await run(() => leaving(client, name)))
      offerUndo(client, t('undo.left', { name }), askToJoin, `member ${row.channel.stream_id}`);
  };
  const isIn = row.membership === 'subscribed';
  if (!isIn && !mayJoinChannel(client, row)) return <span class="hint">{t('channels.byInvitation')}</span>;
  const press = () => (isIn ? (mayJoinChannel(client, row) ? void leave() : onAsk()) : void join());
  return (
    <Button small busy={isBusy} onPress={press}>
      {isIn ? t('channels.leave') : t('channels.join')}
    </Button>
  );
}

const leaving = ({ api }: Client, name: string) =>
  api.call('DELETE', '/users/me/subscriptions', { subscriptions: [name] });

function LeaveDialog({ name, onClose }: { readonly name: string; readonly onClose: () => void }) {
  const client = useClient();
  return (
    <FormDialog
      title={t('channels.leaveTitle', { name })}
      way={t('channels.leave')}
      isDanger
      onSend={() => leaving(client, name)}
      onClose={onClose}
    >
      <p>{t('channels.leaveHint')}</p>
    </FormDialog>
  );
}
