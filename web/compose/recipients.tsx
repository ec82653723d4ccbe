import type { ComponentChildren, Ref } from 'preact';
import { ChannelIcon, type ChannelLook } from '../ui/channel-icon.tsx';
import { Avatar, type Face, Icon, IconButton } from '../ui/index.ts';
import { t } from '../words/index.ts';

interface PlaceButtonProps {
  readonly label: string;
  readonly isOpen: boolean;
  readonly onPress: () => void;
  readonly children: ComponentChildren;
  readonly elementRef?: Ref<HTMLButtonElement> | undefined;
}

/** Shows the recipient, and opens the list of recipients. */
function PlaceButton({ label, isOpen, onPress, children, elementRef }: PlaceButtonProps) {
  return (
    <button
      ref={elementRef ?? null}
      class="pick"
      type="button"
      aria-haspopup="listbox"
      aria-expanded={isOpen}
      aria-label={label}
      onClick={onPress}
      onKeyDown={(event) => {
        if (event.key !== 'ArrowDown') return;
        event.preventDefault();
        onPress();
      }}
    >
      {children}
      <Icon name="chev" small />
    </button>
  );
}

interface Common {
  /** Whether the list of recipients is open. */
  readonly isChoosing?: boolean | undefined;
  readonly onPlace: () => void;
  readonly placeRef?: Ref<HTMLButtonElement> | undefined;
  readonly closing?: { readonly label: string; readonly onClose: () => void } | undefined;
  /** The field for the topic, or for another person. */
  readonly field: ComponentChildren;
}

interface ChannelRecipientProps extends Common {
  readonly channel: ChannelLook & { readonly name: string };
}

/** A channel and a topic as the recipient. */
export function ChannelRecipient(props: ChannelRecipientProps) {
  const { channel, isChoosing = false, onPlace, placeRef, field, closing } = props;
  return (
    <div class="to">
      <CloseButton closing={closing} />
      <PlaceButton
        label={t('compose.channel', { name: channel.name })}
        isOpen={isChoosing}
        onPress={onPlace}
        elementRef={placeRef}
      >
        <ChannelIcon channel={channel} small />
        <span class="clip" dir="auto">
          {channel.name}
        </span>
      </PlaceButton>
      <span class="sep" aria-hidden="true">
        ›
      </span>
      {field}
    </div>
  );
}

/** Stands at the end of the line; before the recipient in the order of the keyboard, which leads on to the text. */
function CloseButton({ closing }: Pick<Common, 'closing'>) {
  if (!closing) return null;
  return (
    <span class="to-end">
      <IconButton icon="close" label={closing.label} onPress={closing.onClose} />
    </span>
  );
}

interface DirectRecipientsProps extends Common {
  readonly people: readonly Face[];
  readonly onRemove: (person: Face) => void;
}

/** People as the recipients of a direct message. */
export function DirectRecipients(props: DirectRecipientsProps) {
  const { people, onRemove, isChoosing = false, onPlace, placeRef, field, closing } = props;
  return (
    <div class="to">
      <CloseButton closing={closing} />
      <PlaceButton label={t('compose.directTo')} isOpen={isChoosing} onPress={onPlace} elementRef={placeRef}>
        <span class="to-l">{t('compose.to')}</span>
      </PlaceButton>
      <div class="recips bare">
        {people.map((person) => (
          <PersonChip key={person.id} person={person} onRemove={onRemove} />
        ))}
        {field}
      </div>
    </div>
  );
}

function PersonChip({ person, onRemove }: { readonly person: Face; readonly onRemove: (person: Face) => void }) {
  return (
    <span class="chip">
      <Avatar face={person} size={20} />
      <span class="clip" dir="auto">
        {person.name}
      </span>
      <button
        class="x"
        type="button"
        aria-label={t('common.remove', { name: person.name })}
        onClick={() => onRemove(person)}
      >
        <Icon name="close" small />
      </button>
    </span>
  );
}

interface WarningProps {
  readonly icon: 'alert' | 'people' | 'lock' | 'globe';
  readonly children: ComponentChildren;
  /** Whether the server would refuse the message. */
  readonly isRefusal?: boolean | undefined;
  /** A better alternative, in a few words. */
  readonly hint?: string | undefined;
  readonly action?: ComponentChildren;
  readonly onDismiss?: (() => void) | undefined;
}

/** A warning before sending, between recipients and text. */
export function Warning({ icon, children, isRefusal, hint, action, onDismiss }: WarningProps) {
  return (
    <p class={isRefusal === true ? 'warn bad' : 'warn'} role="status">
      <Icon name={icon} small />
      <span class="grow">{children}</span>
      {hint !== undefined && <span class="hint">{hint}</span>}
      {action}
      {onDismiss && <IconButton icon="close" label={t('warn.leave')} onPress={onDismiss} />}
    </p>
  );
}
