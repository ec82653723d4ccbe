import { t } from '../words/index.ts';
import { Icon } from './icon.tsx';

/** A channel as it stands before its name. */
export interface ChannelLook {
  readonly kind: 'public' | 'private' | 'web-public';
  /** The reader's colour for it, as the server has it; its lightness is ours, so that it can be seen. */
  readonly color: string;
}

const ICON = { public: 'hash', private: 'lock', 'web-public': 'globe' } as const;

/** Hash, lock or globe in the channel's colour; what is not public is also said. */
export function ChannelIcon({ channel, small = false }: { readonly channel: ChannelLook; readonly small?: boolean }) {
  return (
    <>
      <span class="ring" style={{ '--channel': channel.color }}>
        <Icon name={ICON[channel.kind]} small={small} />
      </span>
      {channel.kind === 'private' && <span class="sr">{t('channel.private')}</span>}
      {channel.kind === 'web-public' && <span class="sr">{t('channel.webPublic')}</span>}
    </>
  );
}
