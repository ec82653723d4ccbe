import { useLayoutEffect, useState } from 'preact/hooks';
import { useClient } from '../../../client/index.ts';
import { Matrix, type MatrixColumn, type MatrixRow, SettingsSection } from '../../../settings/index.ts';
import { ChannelIcon } from '../../../ui/channel-icon.tsx';
import { FieldError } from '../../../ui/field.tsx';
import { t } from '../../../words/deferred.ts';
import { channelLook } from '../../shown.ts';
import { SwitchSetting, useSaver } from '../saving.tsx';
import { NOTIFICATION_FLAGS, NOTIFYING } from '../setting-names.ts';
import { BrowserNotifications } from './browser-notifications.tsx';
import { useSettings } from './own-settings.ts';
import { QuietHours } from './quiet-hours.tsx';

/** The settings of the cells, in the order of the columns. */
const ROWS = {
  personal: [
    'enable_desktop_notifications',
    'enable_sounds',
    'enable_offline_push_notifications',
    'enable_offline_email_notifications',
  ],
  followed: [
    'enable_followed_topic_desktop_notifications',
    'enable_followed_topic_audible_notifications',
    'enable_followed_topic_push_notifications',
    'enable_followed_topic_email_notifications',
  ],
  channels: [
    'enable_stream_desktop_notifications',
    'enable_stream_audible_notifications',
    'enable_stream_push_notifications',
    'enable_stream_email_notifications',
  ],
} as const;
/** The corresponding settings of a channel. */
const OWN = ['desktop_notifications', 'audible_notifications', 'push_notifications', 'email_notifications'] as const;

/** Which messages notify the reader, and how. */
export function NotificationsPage() {
  const { api } = useClient();
  const { settings, update, isOwn, fixedBy } = useSettings();
  const { error, save } = useSaver();
  const [chosen, setChosen] = useState<Readonly<Record<string, boolean>>>({});
  // The setting's event after a change has the final value.
  useLayoutEffect(() => setChosen({}), [settings]);
  const columns = columnsOf();
  const ownRows = useOwnRows(columns, chosen);
  const general: readonly MatrixRow[] = NOTIFYING.map((key) => ({
    key,
    label: t(`me.told.${key}`),
    cells: cellsOf(columns, key, chosen, (at) => settings?.[ROWS[key][at] ?? 'enable_sounds']),
  }));
  const change = async (row: MatrixRow, column: MatrixColumn, isOn: boolean) => {
    const at = columns.findIndex(({ key }) => key === column.key);
    const cell = `${row.key}-${at}`;
    setChosen((before) => ({ ...before, [cell]: isOn }));
    const key = NOTIFYING.find((one) => one === row.key);
    const data = { stream_id: Number(row.key), property: OWN[at] ?? '', value: isOn };
    const name = key && ROWS[key][at];
    const done = await save(() =>
      name === undefined
        ? api.call('POST', '/users/me/subscriptions/properties', { subscription_data: [data] })
        : update({ [name]: isOn }),
    );
    if (!done) setChosen(({ [cell]: _refused, ...rest }) => rest);
  };
  return (
    <>
      <SettingsSection id="not-when" title={t('me.when')} lede={t('me.whenHint')}>
        <Matrix
          columns={columns}
          rows={isOwn ? [...general, ...ownRows] : general}
          isFixed={fixedBy !== undefined}
          onChange={(row, column, isOn) => void change(row, column, isOn)}
        />
        {error !== undefined && <FieldError id="matrix-error" text={error} />}
      </SettingsSection>
      {isOwn && <BrowserNotifications />}
      <SettingsSection id="not-more" title={t('me.more')}>
        {NOTIFICATION_FLAGS.map((name) => (
          <SwitchSetting
            key={name}
            label={t(`me.flag.${name}`)}
            value={settings?.[name] === true}
            fixedBy={fixedBy}
            onSave={(isOn) => update({ [name]: isOn })}
          />
        ))}
        <QuietHours
          value={settings?.quiet_hours ?? ''}
          fixedBy={fixedBy}
          onSave={(quiet_hours) => update({ quiet_hours })}
        />
      </SettingsSection>
    </>
  );
}

function columnsOf(): readonly MatrixColumn[] {
  return [
    { key: 'screen', label: t('channels.told.desktop_notifications'), icon: 'laptop' },
    { key: 'sound', label: t('channels.told.audible_notifications'), icon: 'sound' },
    { key: 'phone', label: t('channels.told.push_notifications'), icon: 'phone' },
    { key: 'mail', label: t('channels.told.email_notifications'), icon: 'mail' },
  ];
}

/** Returns the values of a row's cells: the pending choice, else the current setting. */
function cellsOf(
  columns: readonly MatrixColumn[],
  row: string,
  chosen: Readonly<Record<string, boolean>>,
  valueAt: (at: number) => boolean | undefined,
): MatrixRow['cells'] {
  return Object.fromEntries(columns.map(({ key }, at) => [key, chosen[`${row}-${at}`] ?? valueAt(at) ?? false]));
}

/** Rows of the channels whose settings differ from the general ones. */
function useOwnRows(columns: readonly MatrixColumn[], chosen: Readonly<Record<string, boolean>>): readonly MatrixRow[] {
  const client = useClient();
  const { settings } = useSettings();
  return [...client.model.channels.table.all].flatMap(([id, row]) => {
    if (row.membership !== 'subscribed' || OWN.every((name) => row.channel[name] === null)) return [];
    const { channel } = row;
    const valueAt = (at: number) =>
      channel[OWN[at] ?? 'push_notifications'] ?? settings?.[ROWS.channels[at] ?? 'enable_sounds'];
    const look = channelLook(client, id);
    return {
      key: String(id),
      label: look.name,
      lead: <ChannelIcon channel={look} small />,
      hint: t('me.differs'),
      isOwn: true,
      cells: cellsOf(columns, String(id), chosen, valueAt),
    };
  });
}
