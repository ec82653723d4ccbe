import { useRef } from 'preact/hooks';
import { Button } from '../../ui/index.ts';
import { t } from '../../words/deferred.ts';

interface PictureUploadProps {
  /** Name of what the picture shows, for the buttons' names; absent where that is clear. */
  readonly name?: string | undefined;
  readonly busy: boolean;
  readonly refusal: string | undefined;
  readonly onFile: (file: File) => void;
  /** Removes the picture; absent where none was uploaded. */
  readonly onRemove?: (() => void) | undefined;
}

/** Buttons that upload a picture and remove it. */
export function PictureUpload({ name, busy, refusal, onFile, onRemove }: PictureUploadProps) {
  const input = useRef<HTMLInputElement>(null);
  const label = (word: string) => (name === undefined ? undefined : `${word}: ${name}`);
  return (
    <div class="chips">
      <Button
        icon="upload"
        busy={busy}
        refusal={refusal}
        label={label(t('me.upload'))}
        onPress={() => input.current?.click()}
      >
        {t('me.upload')}
      </Button>
      {onRemove && (
        <Button look="ghost" busy={busy} refusal={refusal} label={label(t('me.removePicture'))} onPress={onRemove}>
          {t('me.removePicture')}
        </Button>
      )}
      <input
        ref={input}
        type="file"
        hidden
        accept="image/*"
        aria-label={label(t('me.upload')) ?? t('me.upload')}
        onChange={(event) => {
          const [file] = event.currentTarget.files ?? [];
          if (file) onFile(file);
          event.currentTarget.value = '';
        }}
      />
    </div>
  );
}
