import { Button, Icon } from '../ui/index.ts';
import { t } from '../words/index.ts';
import { Composer, ComposerField } from './composer.tsx';
import { FormattingBar, type Tool } from './tools.tsx';

interface EditFormProps {
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly onSave: () => void;
  readonly onCancel: () => void;
  readonly onTool: (tool: Tool, anchor: HTMLElement) => void;
  /** Minutes until the message can be changed no more; told from ten down. */
  readonly minutesLeft?: number | undefined;
  readonly isPreview: boolean;
  readonly onPreview: () => void;
  readonly busy?: boolean | undefined;
  /** What the server said against it. */
  readonly fault?: string | undefined;
}

const EDIT_TOOLS: readonly Tool[] = ['attach', 'emoji', 'mention', 'bold', 'italic', 'link', 'code'];

/** Editing happens in the message's own row. */
export function EditForm(props: EditFormProps) {
  const { text, onText, onSave, onCancel, onTool, minutesLeft, isPreview, onPreview, busy, fault } = props;
  return (
    <Composer
      label={t('edit.label')}
      isActive
      onSubmit={onSave}
      field={<ComposerField text={text} onText={onText} placeholder="" />}
      warning={
        fault !== undefined && (
          <p class="warn bad" role="alert">
            <Icon name="alert" small />
            <span class="grow">{fault}</span>
          </p>
        )
      }
      bar={
        <div class="bar-row">
          <FormattingBar tools={EDIT_TOOLS} onTool={onTool} isPreview={isPreview} onPreview={onPreview} />
          <div class="send">
            {minutesLeft !== undefined && (
              <span class="left-time" role="timer">
                <Icon name="clock" small />
                {t('edit.left', { count: minutesLeft })}
              </span>
            )}
            <Button small onPress={onCancel}>
              {t('common.cancel')}
              <kbd class="keyhint">Esc</kbd>
            </Button>
            <Button small look="primary" submit busy={busy}>
              {t('common.save')}
            </Button>
          </div>
        </div>
      }
    />
  );
}
