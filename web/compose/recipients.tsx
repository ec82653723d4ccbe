import type { ComponentChildren, Ref } from 'preact';
import { ChannelIcon, type ChannelLook } from '../ui/channel-icon.tsx';
import { Avatar, type Face, Icon, IconButton } from '../ui/index.ts';
import { t } from '../words/index.ts';

interface ChannelRecipientProps {
  readonly channel: ChannelLook & { readonly name: string };
  readonly onChannel: (anchor: HTMLElement) => void;
  readonly topic: string;
  readonly onTopic: (topic: string) => void;
  readonly isTopicRequired?: boolean | undefined;
  /** The topic is refused; the warning says why. */
  readonly isTopicWrong?: boolean | undefined;
  readonly onClose?: (() => void) | undefined;
  readonly onTopicKeyDown?: ((event: KeyboardEvent) => void) | undefined;
  readonly topicRef?: Ref<HTMLInputElement> | undefined;
}

/** A channel and a topic as recipient. */
export function ChannelRecipient(props: ChannelRecipientProps) {
  const { channel, onChannel, topic, onTopic, isTopicRequired = false, isTopicWrong = false, onClose } = props;
  return (
    <div class="to">
      <button
        class="pick"
        type="button"
        aria-haspopup="listbox"
        aria-label={t('compose.channel', { name: channel.name })}
        onClick={(event) => onChannel(event.currentTarget)}
      >
        <ChannelIcon channel={channel} small />
        <span class="clip" dir="auto">
          {channel.name}
        </span>
        <Icon name="chev" small />
      </button>
      <span class="sep" aria-hidden="true">
        ›
      </span>
      <input
        ref={props.topicRef ?? null}
        class={isTopicWrong ? 'topic wrong' : 'topic'}
        aria-label={t('compose.topic')}
        aria-invalid={isTopicWrong || undefined}
        placeholder={t(isTopicRequired ? 'compose.topicRequired' : 'compose.topic')}
        dir="auto"
        autocomplete="off"
        value={topic}
        onInput={(event) => onTopic(event.currentTarget.value)}
        onKeyDown={props.onTopicKeyDown}
      />
      <CloseButton onClose={onClose} />
    </div>
  );
}

function CloseButton({ onClose }: { readonly onClose: (() => void) | undefined }) {
  if (!onClose) return null;
  return (
    <span class="to-end">
      <IconButton icon="close" label={t('compose.close')} keys="Esc" onPress={onClose} />
    </span>
  );
}

interface DirectRecipientsProps {
  readonly people: readonly Face[];
  readonly onRemove: (person: Face) => void;
  readonly query: string;
  readonly onQuery: (query: string) => void;
  readonly onKeyDown?: ((event: KeyboardEvent) => void) | undefined;
  readonly onClose?: (() => void) | undefined;
  readonly inputRef?: Ref<HTMLInputElement> | undefined;
}

/** People as recipients of a direct message. */
export function DirectRecipients(props: DirectRecipientsProps) {
  const { people, onRemove, query, onQuery, onKeyDown, onClose } = props;
  return (
    <div class="to">
      <span class="to-l">{t('compose.to')}</span>
      <div class="recips bare">
        {people.map((person) => (
          <PersonChip key={person.id} person={person} onRemove={onRemove} />
        ))}
        <input
          ref={props.inputRef ?? null}
          aria-label={t('compose.addPerson')}
          placeholder={people.length === 0 ? t('compose.addPerson') : ''}
          dir="auto"
          autocomplete="off"
          value={query}
          onInput={(event) => onQuery(event.currentTarget.value)}
          onKeyDown={onKeyDown}
        />
      </div>
      <CloseButton onClose={onClose} />
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
  /** The server would refuse. */
  readonly isRefusal?: boolean | undefined;
  /** What would work better, in a few words. */
  readonly hint?: string | undefined;
  readonly action?: ComponentChildren;
  readonly onDismiss?: (() => void) | undefined;
}

/** What there is to know before sending: between recipients and text. */
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
