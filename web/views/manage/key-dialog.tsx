import { Button, Dialog, FieldError } from '../../ui/index.ts';
import { t } from '../../words/managing.ts';
import { CopyField } from './copy-field.tsx';
import { download, zuliprc } from './zuliprc.ts';

interface KeyShownProps {
  readonly title: string;
  /** What the key is called, and what a new one does. */
  readonly label: string;
  readonly hint: string;
  /** Whose key it is, by the address that programs log in with. */
  readonly email: string;
  readonly value: string;
  readonly isBusy: boolean;
  readonly error: string | undefined;
  readonly onRenew: () => void;
  readonly onClose: () => void;
}

/** A key that was asked for: to copy, as the file that programs read, or to be replaced by a new one. */
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
