import type { ComponentChildren } from 'preact';
import { t } from '../words/index.ts';
import { IconButton } from './button.tsx';
import { Icon } from './icon.tsx';
import type { IconName } from './icons.ts';

/** A sentence about an action or an error, and at most one action. */
export interface ToastContent {
  readonly id: number;
  readonly text: string;
  readonly isError?: boolean | undefined;
  readonly action?: { readonly label: string; readonly onChoose: () => void };
}

interface ToastsProps {
  readonly toasts: readonly ToastContent[];
  readonly onDismiss: (id: number) => void;
  /** Called when the pointer or the focus enters or leaves a toast, which stays meanwhile. */
  readonly onHold?: ((id: number, isHeld: boolean) => void) | undefined;
}

/** Short notices above the composer. Screen readers hear errors at once, others at the next pause. */
export function Toasts({ toasts, onDismiss, onHold }: ToastsProps) {
  const row = (toast: ToastContent) => <Toast key={toast.id} toast={toast} onDismiss={onDismiss} onHold={onHold} />;
  return (
    <div class="toasts">
      <div role="status">{toasts.filter(({ isError }) => isError !== true).map(row)}</div>
      <div role="alert">{toasts.filter(({ isError }) => isError === true).map(row)}</div>
    </div>
  );
}

interface ToastProps {
  readonly toast: ToastContent;
  readonly onDismiss: (id: number) => void;
  readonly onHold: ((id: number, isHeld: boolean) => void) | undefined;
}

function Toast({ toast: { id, text, isError = false, action }, onDismiss, onHold }: ToastProps) {
  const hold = (isHeld: boolean) => () => onHold?.(id, isHeld);
  const act = () => {
    onDismiss(id);
    action?.onChoose();
  };
  return (
    <div
      class={isError ? 'toast error' : 'toast'}
      onPointerEnter={hold(true)}
      onPointerLeave={hold(false)}
      onFocusCapture={hold(true)}
      onBlurCapture={hold(false)}
    >
      {isError && <Icon name="alert" small />}
      <span class="grow" dir="auto">
        {text}
      </span>
      {action && (
        <button type="button" class="btn small" onClick={act}>
          {action.label}
        </button>
      )}
      <IconButton icon="close" small label={t('common.dismiss')} onPress={() => onDismiss(id)} />
    </div>
  );
}

interface BannerProps {
  readonly icon: IconName;
  readonly title: string;
  readonly children?: ComponentChildren | undefined;
  readonly action?: ComponentChildren | undefined;
  /** For news that is not a problem: petrol instead of amber. */
  readonly calm?: boolean | undefined;
  readonly onDismiss?: (() => void) | undefined;
}

/** A line over the feed about the state of the client; at most one at a time. */
export function Banner({ icon, title, children, action, calm = false, onDismiss }: BannerProps) {
  return (
    <div class={calm ? 'banner calm' : 'banner'} role="status">
      <Icon name={icon} />
      <p>
        <b>{title}</b> {children}
      </p>
      {action}
      {onDismiss && <IconButton icon="close" label={t('common.dismiss')} onPress={onDismiss} />}
    </div>
  );
}

interface EmptyViewProps {
  readonly title: string;
  /** One sentence about what would be here. */
  readonly text: string;
  /** A picture above the words. */
  readonly scene?: ComponentChildren | undefined;
  /** At most two actions. */
  readonly children?: ComponentChildren | undefined;
}

/** The content of a view that has nothing to show. */
export function EmptyView({ title, text, scene, children }: EmptyViewProps) {
  return (
    <div class="empty">
      {scene}
      <h2 class="display">{title}</h2>
      <p>{text}</p>
      {children && <div class="chips">{children}</div>}
    </div>
  );
}

/** Classes for the line widths of placeholder messages; each differs, so that they look like a conversation. */
const GHOSTS = [
  ['w3', 'w9', 'w7'],
  ['w2', 'w8'],
  ['w4', 'w9', 'w9', 'w5'],
  ['w3', 'w6'],
] as const;

/** Placeholders for messages that are loading; shown only after 200 ms. */
export function MessageSkeleton({ count = 4 }: { readonly count?: number }) {
  return (
    <div class="loading feed" role="status">
      <span class="sr">{t('common.loading')}</span>
      {Array.from({ length: count }, (_, index) => (
        <div class="ghost-msg" key={index}>
          <span class="bone egg" />
          <div>
            {(GHOSTS[index % GHOSTS.length] ?? GHOSTS[0]).map((width, line) => (
              <span class={`bone ${width}`} key={line} />
            ))}
          </div>
        </div>
      ))}
    </div>
  );
}

/** Placeholders for the rows of a list that is loading. */
export function ListSkeleton({ count = 8 }: { readonly count?: number }) {
  return (
    <div class="loading list-page" role="status">
      <span class="sr">{t('common.loading')}</span>
      {Array.from({ length: count }, (_, index) => (
        <div class="lrow ghost" key={index}>
          <span class="bone egg" />
          <span class={`bone ${['w4', 'w6', 'w5', 'w3'][index % 4] ?? 'w4'}`} />
        </div>
      ))}
    </div>
  );
}
