import { Chip, Icon } from '../ui/index.ts';
import { FieldError } from '../ui/field.tsx';
import { t } from '../words/deferred.ts';

/** A group or a person that has a permission. */
export interface Holder {
  readonly key: string;
  readonly name: string;
}

interface PermissionProps {
  /** Name of the permission, for screen readers. */
  readonly label: string;
  readonly holders: readonly Holder[];
  /** Text shown when there are no holders; "Nobody" by default. */
  readonly empty?: string | undefined;
  /** Absent where the reader may not change it; the frame is then dashed. */
  readonly onAdd?: ((anchor: HTMLElement) => void) | undefined;
  readonly onRemove?: ((holder: Holder) => void) | undefined;
  readonly error?: { readonly id: string; readonly text: string } | undefined;
}

/** The holders of a permission, as a row of chips. */
export function Permission({ label, holders, empty = t('settings.nobody'), onAdd, onRemove, error }: PermissionProps) {
  return (
    <>
      <div class={onAdd ? 'groups' : 'groups fixed'} role="group" aria-label={label}>
        {holders.length === 0 && <span class="hint">{empty}</span>}
        {holders.map((holder) => (
          <Chip
            key={holder.key}
            removal={
              onRemove && {
                label: t('common.remove', { name: holder.name }),
                onRemove: () => onRemove(holder),
              }
            }
          >
            {holder.name}
          </Chip>
        ))}
        {onAdd && (
          <button class="add" type="button" onClick={(event) => onAdd(event.currentTarget)}>
            <Icon name="plus" small />
            {t('settings.add')}
          </button>
        )}
      </div>
      {error && <FieldError id={error.id} text={error.text} />}
    </>
  );
}
