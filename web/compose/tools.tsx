import { Fragment } from 'preact';
import { Button, Icon, IconButton, type IconName, SplitButton, useRoving } from '../ui/index.ts';
import { t } from '../words/index.ts';

/** An action of the formatting bar. */
export type Tool =
  | 'attach'
  | 'emoji'
  | 'mention'
  | 'bold'
  | 'italic'
  | 'strike'
  | 'link'
  | 'list'
  | 'quote'
  | 'code'
  | 'math'
  | 'spoiler'
  | 'poll'
  | 'time'
  | 'snippets';

const TOOLS: readonly { readonly tool: Tool; readonly icon: IconName; readonly keys?: string }[] = [
  { tool: 'attach', icon: 'clip' },
  { tool: 'emoji', icon: 'smile' },
  { tool: 'mention', icon: 'at' },
  { tool: 'bold', icon: 'bold', keys: 'Ctrl B' },
  { tool: 'italic', icon: 'italic', keys: 'Ctrl I' },
  { tool: 'strike', icon: 'strike' },
  { tool: 'link', icon: 'link', keys: 'Ctrl Shift L' },
  { tool: 'list', icon: 'list' },
  { tool: 'quote', icon: 'quote' },
  { tool: 'code', icon: 'code', keys: 'Ctrl Shift C' },
  { tool: 'math', icon: 'math' },
  { tool: 'spoiler', icon: 'eyeoff' },
  { tool: 'poll', icon: 'poll' },
  { tool: 'time', icon: 'clock' },
  { tool: 'snippets', icon: 'snippet' },
];

/** Number of tools before the dividing line. */
const INSERTS = 3;

interface FormattingBarProps {
  /** The tools to show, in the bar's order; all by default. */
  readonly tools?: readonly Tool[] | undefined;
  readonly onTool: (tool: Tool, anchor: HTMLElement) => void;
  readonly isPreview: boolean;
  readonly onPreview: () => void;
}

/** The tools under the text: one tab stop; arrow keys move between them. */
export function FormattingBar({ tools, onTool, isPreview, onPreview }: FormattingBarProps) {
  const ref = useRoving<HTMLDivElement>({ items: '.icon-btn', axis: 'horizontal' });
  const shown = TOOLS.filter(({ tool }) => tools?.includes(tool) ?? true);
  return (
    <div class="tools" role="toolbar" aria-label={t('compose.tools')} ref={ref}>
      {shown.map(({ tool, icon, keys }, index) => (
        <Fragment key={tool}>
          {index === INSERTS && <span class="vr" aria-hidden="true" />}
          <IconButton
            icon={icon}
            label={t(`compose.${tool}`)}
            keys={keys}
            refusal={isPreview ? t('compose.write') : undefined}
            onPress={(event) => event.currentTarget instanceof HTMLElement && onTool(tool, event.currentTarget)}
          />
        </Fragment>
      ))}
      <IconButton
        icon="eye"
        label={t(isPreview ? 'compose.write' : 'compose.preview')}
        keys="Alt P"
        pressed={isPreview}
        onPress={onPreview}
      />
    </div>
  );
}

interface SendBarProps {
  readonly onLater?: ((anchor: HTMLElement) => void) | undefined;
  /** "Draft saved", or the number of characters left. */
  readonly note?: string | undefined;
  readonly isTooLong?: boolean | undefined;
  /** Why the message cannot be sent now. */
  readonly refusal?: string | undefined;
  readonly busy?: boolean | undefined;
  /** Takes back the message that was just sent. */
  readonly onTakeBack?: (() => void) | undefined;
  /** Number of people that a wildcard notifies, if the author should be warned. */
  readonly audience?: number | undefined;
}

/** The buttons to send now or later. */
export function SendBar({ onLater, note = '', isTooLong = false, refusal, busy, audience, onTakeBack }: SendBarProps) {
  return (
    <div class="send">
      {onTakeBack && (
        <Button small look="ghost" icon="undo" onPress={onTakeBack}>
          {t('compose.takeBack')}
        </Button>
      )}
      <span class={isTooLong ? 'saved bad' : 'saved'} role="status">
        {note}
      </span>
      <SplitButton>
        <Button look="primary" submit icon="send" refusal={refusal} busy={busy}>
          {audience === undefined ? t('compose.send') : t('compose.sendTo', { count: audience })}
        </Button>
        {onLater && (
          <button
            class="btn primary"
            type="button"
            aria-label={t('compose.later')}
            title={t('compose.later')}
            aria-haspopup="menu"
            onClick={(event) => onLater(event.currentTarget)}
          >
            <Icon name="chev" small />
          </button>
        )}
      </SplitButton>
    </div>
  );
}
