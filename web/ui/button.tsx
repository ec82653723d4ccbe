import type { ComponentChildren, Ref } from 'preact';
import { Icon } from './icon.tsx';
import type { IconName } from './icons.ts';
import { namesOfKeys } from './keys.ts';

type Look = 'plain' | 'primary' | 'ghost' | 'danger';

interface Common {
  /** The label, which begins with a verb. */
  readonly children: ComponentChildren;
  /** One view has at most one primary button. */
  readonly look?: Look | undefined;
  readonly small?: boolean | undefined;
  readonly block?: boolean | undefined;
  readonly icon?: IconName | undefined;
  readonly class?: string | undefined;
}

interface ButtonProps extends Common {
  readonly onPress?: ((event: MouseEvent) => void) | undefined;
  readonly submit?: boolean | undefined;
  /** For toggle buttons. */
  readonly pressed?: boolean | undefined;
  /** Why it cannot be pressed now; the button stays focusable, so that the reason can be read. */
  readonly refusal?: string | undefined;
  /** Whether the action is running: same width, same label, no second press. */
  readonly busy?: boolean | undefined;
  readonly label?: string | undefined;
  readonly popup?: 'menu' | 'dialog' | 'listbox' | undefined;
  readonly expanded?: boolean | undefined;
  readonly elementRef?: Ref<HTMLButtonElement> | undefined;
}

/** A button with a label. */
export function Button(props: ButtonProps) {
  const { children, icon, submit = false, pressed, refusal, busy = false, label, popup, expanded } = props;
  const isOff = refusal !== undefined || busy;
  return (
    <button
      ref={props.elementRef ?? null}
      type={submit ? 'submit' : 'button'}
      class={`${look(props)}${pressed === true ? ' on' : ''}${busy ? ' busy' : ''}`}
      aria-pressed={pressed}
      aria-disabled={refusal !== undefined || undefined}
      aria-busy={busy || undefined}
      aria-label={label}
      aria-haspopup={popup}
      aria-expanded={expanded}
      title={refusal}
      onClick={(event) => (isOff ? event.preventDefault() : props.onPress?.(event))}
    >
      {icon && <Icon name={icon} small />}
      {children}
    </button>
  );
}

interface LinkButtonProps extends Common {
  readonly href: string;
  /** Its accessible name, if phones show the icon alone. */
  readonly label?: string | undefined;
  /** File name under which the browser saves the target. */
  readonly download?: string | undefined;
  /** Opens the target in a new window. */
  readonly isApart?: boolean;
}

/** A link that looks like a button: it leads somewhere and changes nothing. */
export function LinkButton(props: LinkButtonProps) {
  return (
    <a
      class={look(props)}
      href={props.href}
      download={props.download}
      aria-label={props.label}
      {...(props.isApart === true && { target: '_blank', rel: 'noopener' })}
    >
      {props.icon && <Icon name={props.icon} small />}
      {props.children}
    </a>
  );
}

function look({ look: kind = 'plain', small = false, block = false, class: extra = '' }: Common): string {
  const names = ['btn', kind === 'plain' ? '' : kind, small ? 'small' : '', block ? 'block' : '', extra];
  return names.filter((name) => name !== '').join(' ');
}

interface IconButtonProps {
  readonly icon: IconName;
  /** Its accessible name, and its tooltip. */
  readonly label: string;
  /** The keyboard shortcut, as people read it: "Ctrl B". */
  readonly keys?: string | undefined;
  readonly small?: boolean | undefined;
  readonly filled?: boolean | undefined;
  readonly pressed?: boolean | undefined;
  readonly expanded?: boolean | undefined;
  readonly popup?: 'menu' | 'dialog' | 'listbox' | undefined;
  readonly refusal?: string | undefined;
  readonly class?: string | undefined;
  readonly tabIndex?: number | undefined;
  readonly onPress?: ((event: MouseEvent) => void) | undefined;
  readonly elementRef?: Ref<HTMLButtonElement> | undefined;
}

/** A button without a label: its name is read out, and shown as a tooltip. */
export function IconButton(props: IconButtonProps) {
  const { icon, label, small = false, filled = false, pressed, refusal, class: extra = '' } = props;
  const keys = props.keys === undefined ? undefined : namesOfKeys(props.keys).join(' ');
  return (
    <button
      ref={props.elementRef ?? null}
      type="button"
      class={`icon-btn ${extra}`.trimEnd()}
      aria-label={label}
      title={refusal ?? (keys === undefined ? label : `${label} (${keys})`)}
      data-keys={keys}
      aria-pressed={pressed}
      aria-expanded={props.expanded}
      aria-haspopup={props.popup}
      aria-disabled={refusal !== undefined || undefined}
      tabIndex={props.tabIndex}
      onClick={(event) => (refusal === undefined ? props.onPress?.(event) : event.preventDefault())}
    >
      <Icon name={icon} small={small} class={filled ? 'fill' : ''} />
    </button>
  );
}

interface FoldButtonProps {
  readonly title: string;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}

/** The title of a section, which opens and closes it. */
export function FoldButton({ title, isOpen, onToggle }: FoldButtonProps) {
  return (
    <button class="fold" type="button" aria-expanded={isOpen} onClick={onToggle}>
      <Icon name="chev" small class="chev" />
      <span class="clip">{title}</span>
    </button>
  );
}

/** Two buttons joined: an action, and a menu of its variants. */
export function SplitButton({ children }: { readonly children: ComponentChildren }) {
  return <span class="split">{children}</span>;
}

/** Runs a press with the pressed element, beside which a menu opens. */
export function withAnchor(run: (anchor: HTMLElement) => void) {
  return (event: MouseEvent) => {
    if (event.currentTarget instanceof HTMLElement) run(event.currentTarget);
  };
}
