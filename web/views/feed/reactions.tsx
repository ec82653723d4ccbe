import type { ComponentChildren } from 'preact';
import { Icon } from '../../ui/index.ts';
import { formatNumber, listOf, t } from '../../words/index.ts';

/** A reaction: an emoji and the people who chose it. */
export interface ShownReaction {
  readonly key: string;
  /** "thumbs up" */
  readonly emojiName: string;
  /** The emoji's character, or the organization's picture. */
  readonly picture: ComponentChildren;
  readonly count: number;
  readonly isOwn: boolean;
  /** The names of all who chose it. */
  readonly who: readonly string[];
  /** Whether it shows their names: for three or fewer people, if the reader wants that. */
  readonly showsNames: boolean;
}

interface ReactionsProps {
  readonly reactions: readonly ShownReaction[];
  readonly onToggle: (reaction: ShownReaction) => void;
  /** Absent where the reader may not react. */
  readonly onAdd?: ((anchor: HTMLElement) => void) | undefined;
}

/** The reactions to a message; those of the reader are petrol. */
export function Reactions({ reactions, onToggle, onAdd }: ReactionsProps) {
  if (reactions.length === 0) return null;
  return (
    <div class="reactions">
      {reactions.map((reaction) => (
        <Reaction key={reaction.key} reaction={reaction} onToggle={onToggle} />
      ))}
      {onAdd && (
        <button
          class="react"
          type="button"
          tabIndex={-1}
          aria-label={t('reaction.add')}
          title={t('reaction.add')}
          onClick={(event) => onAdd(event.currentTarget)}
        >
          <Icon name="smile" small />
        </button>
      )}
    </div>
  );
}

interface ReactionProps {
  readonly reaction: ShownReaction;
  readonly onToggle: (reaction: ShownReaction) => void;
}

function Reaction({ reaction, onToggle }: ReactionProps) {
  const { emojiName: emoji, picture, count, isOwn, who, showsNames } = reaction;
  const title = t('reaction.who', { names: namesOf(who), emoji });
  return (
    <button
      class="react"
      type="button"
      tabIndex={-1}
      aria-pressed={isOwn}
      title={title}
      onClick={() => onToggle(reaction)}
    >
      <span class="em emoji" aria-hidden="true">
        {picture}
      </span>
      <span class="sr">{t('reaction.name', { emoji })}</span>
      <span dir="auto">{showsNames ? who.join(', ') : formatNumber(count)}</span>
    </button>
  );
}

/** Most names in a tooltip. */
const MAX_NAMED = 20;

function namesOf(who: readonly string[]): string {
  const rest = who.length - MAX_NAMED;
  return listOf(rest > 0 ? [...who.slice(0, MAX_NAMED), t('reaction.others', { count: rest })] : who);
}
