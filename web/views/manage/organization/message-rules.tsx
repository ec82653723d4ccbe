import { useClient } from '../../../client/index.ts';
import { SettingsSection } from '../../../settings/index.ts';
import { SECONDS_PER_DAY } from '../../../words/dates.ts';
import { t } from '../../../words/deferred.ts';
import { SelectSetting, SwitchSetting } from '../saving.tsx';
import { MESSAGE_FLAGS, MESSAGE_LIMITS } from '../setting-names.ts';

/** Times that are offered, in seconds. */
const SECONDS = [120, 600, 3600, SECONDS_PER_DAY, 7 * SECONDS_PER_DAY] as const;

/** Rules for everybody's messages. */
export function MessageRules() {
  const client = useClient();
  const { facts } = client.model;
  const fixedBy = facts.get('is_admin') === true ? undefined : t('group.administrators');
  const update = (change: object) => client.api.callAny('PATCH', '/realm', change);
  return (
    <>
      <SettingsSection id="mr-edit" title={t('rules.editing')}>
        <SwitchSetting
          label={t('rules.allow_message_editing')}
          value={facts.get('realm_allow_message_editing') === true}
          fixedBy={fixedBy}
          onSave={(allow_message_editing) => update({ allow_message_editing })}
        />
        {MESSAGE_LIMITS.map((name) => (
          <SelectSetting
            key={name}
            label={t(`rules.${name}`)}
            value={String(facts.get(`realm_${name}`) ?? 'unlimited')}
            fixedBy={fixedBy}
            options={timesWith(facts.get(`realm_${name}`))}
            onSave={(value) => update({ [name]: value === 'unlimited' ? value : Number(value) })}
          />
        ))}
        <SelectSetting
          label={t('rules.history')}
          value={facts.get('realm_message_edit_history_visibility_policy') ?? 'all'}
          fixedBy={fixedBy}
          options={(['all', 'moves', 'none'] as const).map((value) => ({ value, label: t(`rules.history.${value}`) }))}
          onSave={(message_edit_history_visibility_policy) => update({ message_edit_history_visibility_policy })}
        />
      </SettingsSection>
      <SettingsSection id="mr-talk" title={t('rules.talking')}>
        <SelectSetting
          label={t('channels.topics')}
          value={facts.get('realm_topics_policy') ?? 'allow_empty_topic'}
          fixedBy={fixedBy}
          options={(['allow_empty_topic', 'disable_empty_topic'] as const).map((value) => ({
            value,
            label: t(`channels.topics.${value}`),
          }))}
          onSave={(topics_policy) => update({ topics_policy })}
        />
        {MESSAGE_FLAGS.map((name) => (
          <SwitchSetting
            key={name}
            label={t(`rules.${name}`)}
            value={facts.get(`realm_${name}`) === true}
            fixedBy={fixedBy}
            onSave={(isOn) => update({ [name]: isOn })}
          />
        ))}
      </SettingsSection>
    </>
  );
}

/** Returns the times to choose from, including the current one. */
function timesWith(current: number | null | undefined) {
  const seconds = typeof current === 'number' ? [...new Set([...SECONDS, current])].toSorted((a, b) => a - b) : SECONDS;
  return [
    ...seconds.map((one) => ({ value: String(one), label: spanOf(one) })),
    { value: 'unlimited', label: t('rules.always') },
  ];
}

function spanOf(seconds: number): string {
  if (seconds % SECONDS_PER_DAY === 0) return t('rules.days', { count: seconds / SECONDS_PER_DAY });
  if (seconds % 3600 === 0) return t('rules.hours', { count: seconds / 3600 });
  if (seconds % 60 === 0) return t('rules.minutes', { count: seconds / 60 });
  return t('rules.seconds', { count: seconds });
}
