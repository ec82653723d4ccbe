import { density } from '../../../client/index.ts';
import { ChoiceCards, DensityPreview, SettingsSection, ThemePreview } from '../../../settings/index.ts';
import { FieldError } from '../../../ui/field.tsx';
import { has12Hours } from '../../../words/index.ts';
import { t } from '../../../words/deferred.ts';
import { SelectSetting, SwitchSetting, useSaver } from '../saving.tsx';
import { LanguageSetting } from './language-setting.tsx';
import { useSettings } from './own-settings.ts';

/** The API's numbers of the colour schemes. */
const THEMES = [
  ['system', 1],
  ['dark', 2],
  ['light', 3],
] as const;
const HOMES = ['inbox', 'recent', 'all_messages'] as const;
const TIMES = { system: null, '24': true, '12': false } as const;

/** How the client looks to the reader. */
export function DisplayPage() {
  const { settings, update, isOwn, fixedBy } = useSettings();
  const { error, save } = useSaver();
  const theme = THEMES.find(([, number]) => number === settings?.color_scheme)?.[0] ?? 'system';
  const time = settings?.twenty_four_hour_time;
  // New people may have another language than the reader.
  const has12 = has12Hours() || !isOwn;
  const home = settings?.web_home_view;
  return (
    <>
      <SettingsSection id="dis-theme" title={t('me.theme')}>
        <ChoiceCards
          labelledBy="dis-theme"
          name="theme"
          value={theme}
          onChange={(chosen) => {
            const number = THEMES.find(([key]) => key === chosen)?.[1] ?? 1;
            if (fixedBy === undefined) void save(() => update({ color_scheme: number }));
          }}
          options={THEMES.map(([value]) => ({
            value,
            label: t(`me.theme.${value}`),
            picture: <ThemePreview theme={value} />,
          }))}
        />
        {error !== undefined && <FieldError id="theme-error" text={error} />}
        <SwitchSetting
          label={t('me.contrast')}
          value={settings?.high_contrast_mode === true}
          fixedBy={fixedBy}
          onSave={(high_contrast_mode) => update({ high_contrast_mode })}
        />
      </SettingsSection>
      {isOwn && <DensitySection />}
      <SettingsSection id="dis-reading" title={t('me.reading')}>
        {isOwn && (
          <LanguageSetting
            label={t('me.language')}
            value={settings?.default_language}
            onSave={(default_language) => update({ default_language })}
          />
        )}
        <SelectSetting
          label={t('me.time')}
          value={time === null ? 'system' : time === false && has12 ? '12' : '24'}
          options={(['24', ...(has12 ? (['12'] as const) : []), 'system'] as const).map((value) => ({
            value,
            label: t(`me.time.${value}`),
          }))}
          fixedBy={fixedBy}
          onSave={(value) => update({ twenty_four_hour_time: TIMES[value] })}
        />
        <SelectSetting
          label={t('me.home')}
          hint={t('me.homeHint')}
          value={home === undefined || home === 'recent_topics' ? 'recent' : home}
          options={HOMES.map((value) => ({ value, label: t(`me.home.${value}`) }))}
          fixedBy={fixedBy}
          onSave={(web_home_view) => update({ web_home_view })}
        />
        <SwitchSetting
          label={t('me.enter')}
          hint={t('me.enterHint')}
          value={settings?.enter_sends === true}
          fixedBy={fixedBy}
          onSave={(enter_sends) => update({ enter_sends })}
        />
        <SwitchSetting
          label={t('me.emoticons')}
          value={settings?.translate_emoticons === true}
          fixedBy={fixedBy}
          onSave={(translate_emoticons) => update({ translate_emoticons })}
        />
      </SettingsSection>
    </>
  );
}

/** How densely messages and rows are set in this browser. */
function DensitySection() {
  return (
    <SettingsSection id="dis-density" title={t('me.density')} lede={t('me.densityHint')}>
      <ChoiceCards
        labelledBy="dis-density"
        name="density"
        value={density.value}
        onChange={(value) => density.choose(value)}
        options={density.choices.map((value) => ({
          value,
          label: t(`me.density.${value}`),
          picture: <DensityPreview density={value} />,
        }))}
      />
    </SettingsSection>
  );
}
