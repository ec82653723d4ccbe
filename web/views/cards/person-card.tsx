import { type ComponentChildren, Fragment } from 'preact';
import { Avatar, Button, type Face, IconButton } from '../../ui/index.ts';
import { t } from '../../words/deferred.ts';

interface PersonCardProps {
  readonly face: Face;
  readonly presence?: 'active' | 'idle' | 'offline' | undefined;
  /** Role and pronouns: "Member · she/her". */
  readonly line: string;
  readonly status?: { readonly emoji?: ComponentChildren; readonly text: string } | undefined;
  /** The profile as far as the reader may see it. */
  readonly facts: readonly { readonly name: string; readonly value: ComponentChildren }[];
  readonly onMessage?: (() => void) | undefined;
  readonly onMention?: (() => void) | undefined;
  readonly onMore: (anchor: HTMLElement) => void;
}

/** The card of a person, for a popover. */
export function PersonCard({ face, presence, line, status, facts, onMessage, onMention, onMore }: PersonCardProps) {
  return (
    <>
      <div class="who-line">
        <Avatar face={face} size={64} presence={presence} />
        <div class="grow">
          <h2 dir="auto">{face.name}</h2>
          <p class="quiet">{line}</p>
        </div>
      </div>
      {status && (
        <p class="status">
          {status.emoji}
          <span dir="auto">{status.text}</span>
        </p>
      )}
      <dl>
        {facts.map(({ name, value }) => (
          <Fragment key={name}>
            <dt>{name}</dt>
            <dd dir="auto">{value}</dd>
          </Fragment>
        ))}
      </dl>
      <div class="row">
        {onMessage && (
          <Button look="primary" icon="pencil" class="grow" onPress={onMessage}>
            {t('card.message')}
          </Button>
        )}
        {onMention && (
          <Button icon="at" onPress={onMention}>
            {t('card.mention')}
          </Button>
        )}
        <IconButton
          icon="more"
          label={t('menu.more', { name: face.name })}
          popup="menu"
          onPress={(event) => event.currentTarget instanceof HTMLElement && onMore(event.currentTarget)}
        />
      </div>
    </>
  );
}
