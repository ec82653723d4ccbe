import { useState } from 'preact/hooks';
import { Button } from '../../ui/index.ts';
import { t } from '../../words/deferred.ts';

interface CopyFieldProps {
  readonly label: string;
  readonly value: string;
}

/** A text to copy; it can be selected where the browser forbids access to the clipboard. */
export function CopyField({ label, value }: CopyFieldProps) {
  const [isCopied, setCopied] = useState(false);
  const copy = () => {
    navigator.clipboard?.writeText(value).then(
      () => setCopied(true),
      () => setCopied(false),
    );
  };
  return (
    <div class="affix">
      <input
        class="input mono"
        readOnly
        aria-label={label}
        value={value}
        onFocus={(event) => event.currentTarget.select()}
      />
      <Button icon="copy" onPress={copy}>
        {isCopied ? t('common.copied') : t('common.copy')}
      </Button>
    </div>
  );
}
