import { Button, Icon } from '../ui/index.ts';
import { t } from '../words/index.ts';
import { Composer, type Writing, WritingField } from './composer.tsx';
import { FormattingBar, type Tool } from './tools.tsx';

interface EditFormProps {
  readonly writing: Writing;
  readonly onSave: () => void;
  readonly onCancel: () => void;
  /** Called for Escape; the typed text is stored for the next time. */
  readonly onLeave: () => void;
  /** Minutes until the message can no longer be changed; shown from ten on. */
  readonly minutesLeft?: number | undefined;
  readonly busy?: boolean | undefined;
  /** The server's error message. */
  readonly fault?: string | undefined;
}

const EDIT_TOOLS: readonly Tool[] = ['attach', 'emoji', 'mention', 'bold', 'italic', 'link', 'code'];

/** Editing happens in the message's own row. */
export function EditForm({ writing, onSave, onCancel, onLeave, minutesLeft, busy, fault }: EditFormProps) {
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'Escape') {
      event.stopPropagation();
      onLeave();
    } else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) onSave();
    else return;
    event.preventDefault();
  };
  return (
    <Composer
      label={t('edit.label')}
      isActive
      onSubmit={onSave}
      field={<WritingField writing={writing} placeholder="" onKey={onKey} />}
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
          <FormattingBar
            tools={EDIT_TOOLS}
            onTool={writing.onTool}
            isPreview={writing.preview !== undefined}
            onPreview={writing.onPreview}
          />
          <div class="send">
            {minutesLeft !== undefined && (
              <span class="left-time" role="timer">
                <Icon name="clock" small />
                {t('edit.left', { count: minutesLeft })}
              </span>
            )}
            <Button small onPress={onCancel}>
              {t('common.cancel')}
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
