import { density } from '../../../client/index.ts';
import { ChoiceCards, DensityPreview, SettingsSection } from '../../../settings/index.ts';
import { t } from '../../../words/managing.ts';

/** How densely messages and rows are set in this browser. */
export function DensitySection() {
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
