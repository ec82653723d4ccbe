import { useClient } from '../client/index.ts';
import { IconButton } from '../ui/index.ts';
import { t } from '../words/index.ts';
import { overlay } from './overlays/open.ts';
import { channelLook } from './shown.ts';

/** The button of a channel's menu, for the head of a view. */
export function ChannelMenuButton({ id }: { readonly id: number }) {
  return (
    <IconButton
      icon="more"
      label={t('menu.more', { name: channelLook(useClient(), id).name })}
      popup="menu"
      onPress={({ currentTarget: anchor }) =>
        anchor instanceof HTMLElement && (overlay.value = { what: 'channel', anchor, id })
      }
    />
  );
}
