import { t } from '../words/index.ts';
import { Icon } from './icon.tsx';

/** How a channel is drawn before its name. */
export interface ChannelLook {
  readonly kind: 'public' | 'private' | 'web-public';
  /** The reader's colour for it from the server; the client adjusts its lightness for contrast. */
  readonly color: string;
}

const ICON = { public: 'hash', private: 'lock', 'web-public': 'globe' } as const;

/** A hash, lock or globe in the channel's colour; screen readers hear when it is not a public channel. */
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
