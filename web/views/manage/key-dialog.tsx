import { Button, Dialog } from '../../ui/index.ts';
import { FieldError } from '../../ui/field.tsx';
import { t } from '../../words/deferred.ts';
import { CopyField } from './copy-field.tsx';

interface KeyShownProps {
  readonly title: string;
  /** The name of the key, and what replacing it does. */
  readonly label: string;
  readonly hint: string;
  /** The email address with which programs log in. */
  readonly email: string;
  readonly value: string;
  readonly isBusy: boolean;
  readonly error: string | undefined;
  readonly onRenew: () => void;
  readonly onClose: () => void;
}

/** Shows a key, with buttons to copy, save as a configuration file, and replace it. */
export function KeyShown({ title, label, hint, email, value, isBusy, error, onRenew, onClose }: KeyShownProps) {
  const save = () => download('zuliprc', zuliprc({ email, key: value, site: location.origin }));
  return (
    <Dialog
      title={title}
      onClose={onClose}
      foot={
        <>
          <Button look="primary" icon="download" onPress={save}>
            {t('bots.download')}
          </Button>
          <Button look="danger" busy={isBusy} onPress={onRenew}>
            {t('me.newKey')}
          </Button>
          <Button onPress={onClose}>{t('common.close')}</Button>
        </>
      }
    >
      <p class="hint">{hint}</p>
      <CopyField label={label} value={value} />
      {error !== undefined && <FieldError id="key-error" text={error} />}
    </Dialog>
  );
}

/** The credentials of a program. */
interface Login {
  readonly email: string;
  readonly key: string;
  readonly site: string;
}

/** Formats the file from which programs read their credentials. */
function zuliprc({ email, key, site }: Login): string {
  return `[api]\nemail=${email}\nkey=${key}\nsite=${site}\n`;
}

/** Downloads a text as a file. */
function download(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
