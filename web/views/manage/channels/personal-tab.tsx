import { pickColor } from '#features/channels/rules';
import { useClient } from '../../../client/index.ts';
import { SettingRow, SettingsSection } from '../../../settings/index.ts';
import { FieldError } from '../../../ui/field.tsx';
import { t } from '../../../words/deferred.ts';
import { SelectSetting, SwitchSetting, useSaver } from '../saving.tsx';
import type { ChannelTabProps } from './one-channel.tsx';

/** Notification settings of a channel, each with the general setting that is its default. */
const NOTIFICATIONS = [
  ['desktop_notifications', 'enable_stream_desktop_notifications'],
  ['audible_notifications', 'enable_stream_audible_notifications'],
  ['push_notifications', 'enable_stream_push_notifications'],
  ['email_notifications', 'enable_stream_email_notifications'],
  ['wildcard_mentions_notify', 'wildcard_mentions_notify'],
] as const;

/** The settings of a channel that affect the reader alone. */
export function PersonalTab({ id, row }: ChannelTabProps) {
  const client = useClient();
  if (row.membership === 'never') return null;
  const { channel } = row;
  const set = (property: string) => (value: boolean | string) =>
    client.api.call('POST', '/users/me/subscriptions/properties', {
      subscription_data: [{ stream_id: id, property, value }],
    });
  const settings = client.model.facts.get('user_settings');
  return (
    <>
      <div class="set-sec">
        <ColorRow value={channel.color} onSave={set('color')} />
        <SwitchSetting
          label={t('channels.pin')}
          hint={t('channels.pinHint')}
          value={channel.pin_to_top}
          onSave={set('pin_to_top')}
        />
        <SwitchSetting
          label={t('channels.mute')}
          hint={t('channels.muteHint')}
          value={channel.is_muted}
          onSave={set('is_muted')}
        />
      </div>
      <SettingsSection id="ch-told" title={t('channels.told')} lede={t('channels.toldHint')}>
        {NOTIFICATIONS.map(([property, general]) => (
          <SelectSetting
            key={property}
            label={t(`channels.told.${property}`)}
            value={String(channel[property] ?? settings?.[general] ?? false)}
            options={[
              { value: 'true', label: t('common.on') },
              { value: 'false', label: t('common.off') },
            ]}
            hint={channel[property] === null ? t('channels.asElsewhere') : t('channels.differs')}
            onSave={(value) => set(property)(value === 'true')}
          />
        ))}
      </SettingsSection>
    </>
  );
}

/** The colours that channels are given, in order. */
const PALETTE: readonly string[] = palette();

function palette(): readonly string[] {
  const found = new Set<string>();
  for (let next = pickColor(found, 0); !found.has(next); next = pickColor(found, 0)) found.add(next);
  return [...found];
}

interface ColorRowProps {
  readonly value: string;
  readonly onSave: (color: string) => Promise<unknown>;
}

function ColorRow({ value, onSave }: ColorRowProps) {
  const { isSaved, error, save } = useSaver();
  const colors = PALETTE.includes(value) ? PALETTE : [value, ...PALETTE];
  return (
    <SettingRow label={t('channels.color')} saved={isSaved} hint={t('channels.colorHint')}>
      {({ id }) => (
        <>
          <div class="swatches" role="radiogroup" aria-label={t('channels.color')}>
            {colors.map((color, index) => (
              <label key={color}>
                <input
                  id={index === 0 ? id : undefined}
                  type="radio"
                  name="channel-color"
                  aria-label={t('channels.colorNumber', { count: index + 1 })}
                  checked={color === value}
                  onChange={() => void save(() => onSave(color))}
                />
                <Swatch color={color} />
              </label>
            ))}
          </div>
          {error !== undefined && <FieldError id="color-error" text={error} />}
        </>
      )}
    </SettingRow>
  );
}

/** Drawn as SVG, because the content security policy allows no inline styles. */
function Swatch({ color }: { readonly color: string }) {
  return (
    <svg class="i" viewBox="0 0 20 20" aria-hidden="true">
      <circle cx="10" cy="10" r="8" fill={color} stroke="none" />
    </svg>
  );
}
