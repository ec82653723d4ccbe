import { Field } from '../ui/field.tsx';
import { dateAndTime, shortDay, type TimeStyle, timeOfDay } from '../words/index.ts';
import { t } from '../words/deferred.ts';
import { fromFieldTime, timeChoices, toFieldTime } from './when.ts';

interface TimeFieldProps {
  /** Seconds since 1970. */
  readonly at: number;
  readonly onAt: (at: number) => void;
  readonly now: number;
  readonly style: TimeStyle;
  readonly error?: string | undefined;
}

/** A field for a future time: in words, or as a date and time. */
export function TimeField({ at, onAt, now, style, error }: TimeFieldProps) {
  const isPast = at <= now;
  return (
    <div class="stack-v">
      <div class="chips" role="group" aria-label={t('when.choices')}>
        {timeChoices(now).map((choice) => (
          <button
            key={choice.key}
            type="button"
            class="chip"
            aria-pressed={choice.at === at}
            title={dateAndTime(choice.at, style)}
            onClick={() => onAt(choice.at)}
          >
            {t(`when.${choice.key}`)} <span class="quiet">{shownTime(choice.at, now, style)}</span>
          </button>
        ))}
      </div>
      <Field
        label={t('when.exact')}
        hint={dateAndTime(at, style)}
        error={error ?? (isPast ? t('when.past') : undefined)}
      >
        {(names) => (
          <input
            {...names}
            class="input"
            type="datetime-local"
            value={toFieldTime(at)}
            min={toFieldTime(now)}
            onInput={(event) => {
              const chosen = fromFieldTime(event.currentTarget.value);
              if (chosen !== undefined) onAt(chosen);
            }}
          />
        )}
      </Field>
    </div>
  );
}

/** Formats a time: "15:00" today, "Monday, 09:00" later. */
export function shownTime(at: number, now: number, style: TimeStyle): string {
  const [day, hour] = [shortDay(at, now, style), timeOfDay(at, style)];
  return day === hour ? hour : `${day}, ${hour}`;
}
