import type { ComponentChildren } from 'preact';
import { ChannelIcon, type ChannelLook } from '../../ui/channel-icon.tsx';
import { Avatar, Button, AvatarPair, type Face, Icon } from '../../ui/index.ts';
import type { ShownTime } from '../feed/message-row.tsx';

/** The conversation of a draft, a scheduled message or a reminder. */
export type LaterConversation =
  | { readonly channel: ChannelLook & { readonly name: string }; readonly topic: string; readonly isUnnamed?: boolean }
  | { readonly faces: readonly Face[] };

interface LaterItemProps {
  readonly place: LaterConversation;
  readonly href: string;
  readonly time: ShownTime;
  /** The text, rendered or plain. */
  readonly children: ComponentChildren;
  /** Why it cannot be sent; `actions` offer what to do about it. */
  readonly trouble?: string | undefined;
  readonly actions: readonly LaterAction[];
}

interface LaterAction {
  readonly label: string;
  readonly icon: 'pencil' | 'trash' | 'copy' | 'right' | 'clock';
  readonly isBad?: boolean | undefined;
  readonly onChoose: () => void;
}

/** A row of a draft, a scheduled message or a reminder. */
export function LaterItem({ place, href, time, children, trouble, actions }: LaterItemProps) {
  return (
    <li class="ditem">
      <div class="ditem-h">
        <a class="to-where" href={href}>
          <PlaceName place={place} />
        </a>
        <span class="when">
          <time dateTime={time.iso} title={time.full}>
            {time.text}
          </time>
        </span>
      </div>
      <div class="body">{children}</div>
      {trouble !== undefined && (
        <p class="mark-row">
          <Icon name="alert" small />
          {trouble}
        </p>
      )}
      <div class="ditem-f">
        {actions.map(({ label, icon, isBad = false, onChoose }, index) => (
          <Button
            key={label}
            small
            icon={icon}
            look={index === 0 ? 'plain' : 'ghost'}
            class={isBad ? 'danger-text' : undefined}
            onPress={onChoose}
          >
            {label}
          </Button>
        ))}
      </div>
    </li>
  );
}

function PlaceName({ place }: { readonly place: LaterConversation }) {
  if ('channel' in place)
    return (
      <>
        <ChannelIcon channel={place.channel} small />
        <span class="clip" dir="auto">
          {place.channel.name}
        </span>
        <span class="sep" aria-hidden="true">
          ›
        </span>
        <b class="clip" dir="auto">
          {place.isUnnamed === true ? <em>{place.topic}</em> : place.topic}
        </b>
      </>
    );
  const [first] = place.faces;
  return (
    <>
      {first && place.faces.length === 1 ? <Avatar face={first} size={20} /> : <AvatarPair faces={place.faces} />}
      <b class="clip" dir="auto">
        {place.faces.map(({ name }) => name).join(', ')}
      </b>
    </>
  );
}
