import { SettingRow } from '../../../settings/index.ts';
import { t } from '../../../words/deferred.ts';
import { SwitchSetting, useSaver } from '../saving.tsx';

/** The hours that are set when quiet hours are turned on. */
const NIGHT = '22:00-07:00';

interface QuietHoursProps {
  /** Such as `22:00-07:00`; empty for none. */
  readonly value: string;
  readonly fixedBy: string | undefined;
  readonly onSave: (value: string) => Promise<unknown>;
}

/** The hours of the day without push notifications. */
export function QuietHours({ value, fixedBy, onSave }: QuietHoursProps) {
  return (
    <>
      <SwitchSetting
        label={t('me.quiet')}
        hint={t('me.quietHint')}
        value={value !== ''}
        fixedBy={fixedBy}
        onSave={(isOn) => onSave(isOn ? NIGHT : '')}
      />
      {value !== '' && <Hours value={value} fixedBy={fixedBy} onSave={onSave} />}
    </>
  );
}

function Hours({ value, fixedBy, onSave }: QuietHoursProps) {
  const { save, error, isSaved } = useSaver();
  const [from = '', until = ''] = value.split('-');
  const change = (start: string, end: string) => {
    if (start !== '' && end !== '' && `${start}-${end}` !== value) void save(() => onSave(`${start}-${end}`));
  };
  return (
    <SettingRow label={t('me.quietFrom')} error={error} saved={isSaved}>
      {(names) => (
        <div class="time-pair">
          <input
            class="input"
            type="time"
            {...names}
            value={from}
            disabled={fixedBy !== undefined}
            onChange={(event) => change(event.currentTarget.value, until)}
          />
          <span aria-hidden="true">–</span>
          <input
            class="input"
            type="time"
            aria-label={t('me.quietUntil')}
            value={until}
            disabled={fixedBy !== undefined}
            onChange={(event) => change(from, event.currentTarget.value)}
          />
        </div>
      )}
    </SettingRow>
  );
}
