import { hashOf } from '../../addresses/index.ts';
import { type Client, showNotice, useClient } from '../../client/index.ts';
import { keyOf } from '../../model/index.ts';
import { Menu, type MenuItem } from '../../ui/index.ts';
import { t } from '../../words/deferred.ts';
import { copyText } from '../feed/copy.ts';
import { mayJoinChannel } from '../manage/rights.ts';
import { markRead } from '../mark-read.ts';
import { channelLook } from '../shown.ts';
import { undoable } from '../undoing.ts';
import { closeOverlay } from './open.ts';

/** The menu of a channel: mark it read, open its topics and settings, pin or mute it, join or leave. */
export function ChannelMenu({ anchor, id }: { readonly anchor: HTMLElement; readonly id: number }) {
  const client = useClient();
  return (
    <Menu
      label={t('topicMenu.label', { name: channelLook(client, id).name })}
      anchor={anchor}
      align="end"
      groups={[reading(client, id), ownSettings(client, id), others(client, id)]}
      onClose={closeOverlay}
    />
  );
}

function reading(client: Client, id: number): readonly MenuItem[] {
  const { unread } = client.model;
  const ids = unread.topicsIn(id).flatMap((topic) => unread.idsIn(keyOf(topic)));
  const read: MenuItem = { label: t('list.read'), icon: 'read', onChoose: () => void markRead(client, ids) };
  const topics = hashOf({ view: 'topics', channelId: id }, client.names);
  return [...(ids.length > 0 ? [read] : []), { label: t('sidebar.allTopics'), icon: 'list', href: topics }];
}

/** Settings of the channel for the viewer alone; each can be undone. */
function ownSettings(client: Client, id: number): readonly MenuItem[] {
  const row = client.model.channels.table.get(id);
  if (row?.membership !== 'subscribed') return [];
  const { name, pin_to_top, is_muted } = row.channel;
  const set = (property: 'pin_to_top' | 'is_muted', value: boolean) => () =>
    client.api.call('POST', '/users/me/subscriptions/properties', {
      subscription_data: [{ stream_id: id, property, value }],
    });
  const turn = (property: 'pin_to_top' | 'is_muted', isOn: boolean, text: string) => () =>
    void undoable(client, { text, about: `${property} ${id}`, run: set(property, !isOn), undo: set(property, isOn) });
  return [
    {
      label: t(pin_to_top ? 'channelMenu.unpin' : 'channels.pin'),
      icon: 'pin',
      onChoose: turn(
        'pin_to_top',
        pin_to_top,
        t(pin_to_top ? 'channelMenu.isUnpinned' : 'channelMenu.isPinned', { name }),
      ),
    },
    {
      label: t(is_muted ? 'channelMenu.unmute' : 'channelMenu.mute'),
      icon: is_muted ? 'bell' : 'mute',
      onChoose: turn('is_muted', is_muted, t(is_muted ? 'topicMenu.isUnmuted' : 'topicMenu.isMuted', { name })),
    },
  ];
}

function others(client: Client, id: number): readonly MenuItem[] {
  const at = (tab: string) => hashOf({ view: 'channels', section: 'one', id, tab }, client.names);
  const link = new URL(
    hashOf({ view: 'narrow', narrow: [{ operator: 'channel', operand: id }] }, client.names),
    location.href,
  );
  const copy = async () => {
    if (await copyText(link.href)) showNotice(client, t('message.linkCopied'), false);
  };
  return [
    { label: t('topicMenu.copy'), icon: 'link', onChoose: () => void copy() },
    { label: t('channels.tab.subscribers'), icon: 'people', href: at('subscribers') },
    { label: t('channelMenu.settings'), icon: 'gear', href: at('general') },
    ...membership(client, id),
  ];
}

/**
 * Joining and leaving. Leaving is offered only to those who could join again; others leave in the channel's settings,
 * which ask first.
 */
function membership(client: Client, id: number): readonly MenuItem[] {
  const row = client.model.channels.table.get(id);
  if (!row || row.channel.is_archived || !mayJoinChannel(client, row)) return [];
  const { name } = row.channel;
  const join = () => client.api.call('POST', '/users/me/subscriptions', { subscriptions: [{ name }] });
  const leave = () => client.api.call('DELETE', '/users/me/subscriptions', { subscriptions: [name] });
  const about = `member ${id}`;
  return row.membership === 'subscribed'
    ? [
        {
          label: t('channels.leave'),
          icon: 'signout',
          onChoose: () => void undoable(client, { text: t('undo.left', { name }), about, run: leave, undo: join }),
        },
      ]
    : [
        {
          label: t('channels.join'),
          icon: 'plus',
          onChoose: () =>
            void undoable(client, { text: t('channelMenu.isJoined', { name }), about, run: join, undo: leave }),
        },
      ];
}
