import type { ComponentChildren } from 'preact';
import { Avatar, type Face, Icon, Tag } from '../../ui/index.ts';
import { t } from '../../words/index.ts';
import type { useHold } from './use-hold.ts';

/** A time: as text, for machines, and in full. */
export interface ShownTime {
  /** "09:42" */
  readonly text: string;
  readonly iso: string;
  /** The full date and time, for the tooltip. */
  readonly full: string;
}

/** The mark "edited" or "moved", which opens the history where that is visible. */
export interface EditMark {
  readonly kind: 'edited' | 'moved';
  readonly when: string;
  readonly onOpen?: (() => void) | undefined;
}

export interface MessageRowProps {
  readonly id: string;
  readonly sender: Face;
  readonly time: ShownTime;
  readonly href: string;
  /** Whether it is the first of a group, which shows sender and time; others show the time on hover. */
  readonly isFirst: boolean;
  readonly children: ComponentChildren;
  /** The sender's role: bot or guest. */
  readonly role?: string | undefined;
  /** The sender's status emoji. */
  readonly statusEmoji?: ComponentChildren;
  readonly edit?: EditMark | undefined;
  readonly isStarred?: boolean | undefined;
  /** Whether it mentions the reader. */
  readonly isForYou?: boolean | undefined;
  readonly state?: 'sent' | 'pending' | 'failed' | 'editing' | undefined;
  readonly isSelected?: boolean | undefined;
  /** Whether a link led to it; it is then tinted for a moment. */
  readonly isTarget?: boolean | undefined;
  /** Whether the reader wrote it. */
  readonly isOwn?: boolean | undefined;
  /** Whether it began with "/me". */
  readonly isAction?: boolean | undefined;
  /** Reactions and notes about sending, under the content. */
  readonly foot?: ComponentChildren;
  /** The toolbar; only in the page while the row has the pointer or the focus. */
  readonly actions?: ComponentChildren;
  readonly onSender?: ((anchor: HTMLElement) => void) | undefined;
  readonly onFocus?: (() => void) | undefined;
  /** Called when the focus has left the row. */
  readonly onBlur?: (() => void) | undefined;
  readonly onHover?: ((isHovered: boolean) => void) | undefined;
  /** Handlers for a long press. */
  readonly held?: ReturnType<typeof useHold>;
}

/** The row of a message. The content has the strongest contrast; everything else is quieter. */
export function MessageRow(props: MessageRowProps) {
  const { id, isFirst, children, foot, actions, onFocus, onHover, held } = props;
  const name = `m${id}`;
  return (
    <article
      class={lookOf(props)}
      tabIndex={-1}
      aria-labelledby={name}
      data-message={id}
      data-own={props.isOwn === true ? '' : undefined}
      onFocusCapture={onFocus}
      onBlurCapture={(event) => {
        const next = event.relatedTarget;
        if (!(next instanceof Node && event.currentTarget.contains(next))) props.onBlur?.();
      }}
      onPointerEnter={() => onHover?.(true)}
      onPointerLeave={() => onHover?.(false)}
      {...held}
    >
      {isFirst ? <SenderPicture {...props} /> : <GutterTime {...props} />}
      <div class="grow">
        {isFirst ? <Byline {...props} name={name} /> : <HiddenByline {...props} name={name} />}
        <div class={props.isAction === true ? 'body me-msg' : 'body'}>{children}</div>
        {foot}
      </div>
      {actions}
    </article>
  );
}

function lookOf({ isFirst, isForYou, state = 'sent', isSelected, isTarget }: MessageRowProps): string {
  const names = ['msg'];
  if (isFirst) names.push('first');
  if (isForYou === true) names.push('for-you');
  if (state !== 'sent') names.push(state);
  if (isSelected === true) names.push('is-selected');
  if (isTarget === true) names.push('is-target');
  return names.join(' ');
}

function SenderPicture({ sender, onSender }: MessageRowProps) {
  return (
    <div class="side">
      <button type="button" tabIndex={-1} onClick={(event) => onSender?.(event.currentTarget)}>
        <Avatar face={sender} />
        <span class="sr">{t('message.profile', { name: sender.name })}</span>
      </button>
    </div>
  );
}

/** The space beside a further message of a group: the time on hover, and marks always. */
function GutterTime({ time, edit, isStarred }: MessageRowProps) {
  return (
    <div class="side">
      <Time time={{ ...time, text: time.text.replace(/\s?[ap]m$/i, '') }} />
      {edit && <span class="mark-note">{t(`message.${edit.kind}`)}</span>}
      {isStarred === true && <Star />}
    </div>
  );
}

function Star() {
  return (
    <span class="you-mark" role="img" aria-label={t('message.starred')}>
      <Icon name="star" small class="fill" />
    </span>
  );
}

function Byline(props: MessageRowProps & { readonly name: string }) {
  const { name, sender, role, statusEmoji, time, href, edit, isStarred, onSender } = props;
  return (
    <div class="by">
      <button
        class="who clip"
        type="button"
        id={name}
        dir="auto"
        tabIndex={-1}
        onClick={(event) => onSender?.(event.currentTarget)}
      >
        {sender.name}
      </button>
      {statusEmoji}
      {role !== undefined && <Tag>{role}</Tag>}
      <a href={href} title={time.full} tabIndex={-1}>
        <Time time={time} />
      </a>
      {edit && <Edited edit={edit} />}
      {isStarred === true && <Star />}
    </div>
  );
}

function HiddenByline({ name, sender, time }: MessageRowProps & { readonly name: string }) {
  return (
    <span class="sr" id={name}>
      {t('message.by', { name: sender.name, time: time.text })}
    </span>
  );
}

function Edited({ edit: { kind, when, onOpen } }: { readonly edit: EditMark }) {
  if (!onOpen)
    return (
      <span class="note" title={when}>
        {t(`message.${kind}`)}
      </span>
    );
  return (
    <button class="note" type="button" tabIndex={-1} title={t('message.history', { when })} onClick={onOpen}>
      {t(`message.${kind}`)}
    </button>
  );
}

function Time({ time }: { readonly time: ShownTime }) {
  return <time dateTime={time.iso}>{time.text}</time>;
}
