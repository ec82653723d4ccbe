import { Fragment } from 'preact';
import { Button, Icon, IconButton, type IconName, SplitButton, useRoving } from '../ui/index.ts';
import { t } from '../words/index.ts';

/** What the formatting bar does. */
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

/** After these comes a thin line. */
const INSERTS = 3;

interface FormattingBarProps {
  /** Those that work here, in the bar's order; all by default. */
  readonly tools?: readonly Tool[] | undefined;
  readonly onTool: (tool: Tool, anchor: HTMLElement) => void;
  readonly isPreview: boolean;
  readonly onPreview: () => void;
}

/** The tools under the text: one stop of Tab, arrows move. */
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
  /** "Draft saved", or how many characters are left. */
  readonly note?: string | undefined;
  readonly isTooLong?: boolean | undefined;
  /** Why it cannot be sent now. */
  readonly refusal?: string | undefined;
  readonly busy?: boolean | undefined;
  /** Takes back what was sent just now. */
  readonly onTakeBack?: (() => void) | undefined;
  /** How many people a wildcard tells, when the reader should know. */
  readonly audience?: number | undefined;
}

/** Send now, or later. */
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
