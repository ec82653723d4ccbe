import { ChannelIcon, type ChannelLook } from '../../ui/channel-icon.tsx';
import { Button, Tag } from '../../ui/index.ts';
import { formatNumber } from '../../words/index.ts';
import { t } from '../../words/deferred.ts';

interface ChannelListRowProps {
  readonly channel: ChannelLook & { readonly name: string; readonly href: string };
  /** The first line of the description. */
  readonly description: string;
  readonly people: number;
  /** "about 90 a week" */
  readonly pace?: string | undefined;
  readonly membership:
    | { readonly kind: 'joined' }
    | { readonly kind: 'open'; readonly onJoin: () => void; readonly busy?: boolean | undefined }
    | { readonly kind: 'closed'; readonly reason: string };
}

/** A channel in the list of all: its description, number of subscribers, and whether the reader is one. */
export function ChannelListRow({ channel, description, people, pace, membership }: ChannelListRowProps) {
  return (
    <li class={membership.kind === 'closed' ? 'crow closed' : 'crow'}>
      <span class="lead">
        <ChannelIcon channel={channel} />
      </span>
      <a class="grow" href={channel.href}>
        <b class="clip" dir="auto">
          {channel.name}
        </b>
        <small class="clip" dir="auto">
          {description}
        </small>
      </a>
      <span class="meta">
        <span class="quiet num">
          {formatNumber(people)}
          <span class="wide-only">{t('count.people', { count: people })}</span>
          <span class="sr phone-only">{t('count.people', { count: people })}</span>
        </span>
        {pace !== undefined && <span class="quiet wide-only pace">{pace}</span>}
      </span>
      <Membership name={channel.name} membership={membership} />
    </li>
  );
}

type MembershipProps = Pick<ChannelListRowProps, 'membership'> & { readonly name: string };

function Membership({ name, membership }: MembershipProps) {
  if (membership.kind === 'joined')
    return (
      <span class="act">
        <Tag kind="accent" icon="check">
          {t('channels.joined')}
        </Tag>
      </span>
    );
  if (membership.kind === 'closed') return <span class="act hint">{membership.reason}</span>;
  return (
    <Button
      small
      class="act"
      label={t('channels.joinName', { name })}
      busy={membership.busy}
      onPress={membership.onJoin}
    >
      {t('channels.join')}
    </Button>
  );
}
