import { useClient } from '../../../client/index.ts';
import { SettingsSection } from '../../../settings/index.ts';
import { FieldError } from '../../../ui/field.tsx';
import { t } from '../../../words/deferred.ts';
import { adminsOnly } from '../list-page.tsx';
import { PictureUpload } from '../picture-upload.tsx';
import { useSaver } from '../saving.tsx';
import { PICTURES } from '../setting-names.ts';

type Picture = (typeof PICTURES)[number];

/** The organization's icon, and its logos for light and dark themes. */
export function PicturesSection() {
  return (
    <SettingsSection id="org-pictures" title={t('org.pictures')} lede={t('org.picturesHint')}>
      {PICTURES.map((one) => (
        <OnePicture key={one} of={one} />
      ))}
    </SettingsSection>
  );
}

function OnePicture({ of }: { readonly of: Picture }) {
  const { model, api } = useClient();
  const { isBusy, error, save } = useSaver();
  const { facts } = model;
  const [url, source] =
    of === 'icon'
      ? [facts.get('realm_icon_url'), facts.get('realm_icon_source')]
      : of === 'logo'
        ? [facts.get('realm_logo_url'), facts.get('realm_logo_source')]
        : [facts.get('realm_night_logo_url'), facts.get('realm_night_logo_source')];
  const night = of === 'nightLogo';
  const send = (file: File) =>
    of === 'icon' ? api.call('POST', '/realm/icon', { file }) : api.call('POST', '/realm/logo', { file, night });
  const remove = () =>
    of === 'icon' ? api.call('DELETE', '/realm/icon', {}) : api.call('DELETE', '/realm/logo', { night });
  const isOwn = source === 'U';
  return (
    <div class="pic-row">
      <span class={`org-pic ${of}`}>
        {isOwn && url?.startsWith('/') === true ? (
          <img src={url} alt={t(`org.${of}`)} />
        ) : (
          <span>{t('org.noPicture')}</span>
        )}
      </span>
      <div>
        <p class="label">{t(`org.${of}`)}</p>
        <p class="hint">{t(`org.${of}Hint`)}</p>
        <PictureUpload
          name={t(`org.${of}`)}
          busy={isBusy}
          refusal={adminsOnly(facts.get('is_admin'))}
          onFile={(file) => void save(() => send(file))}
          onRemove={isOwn ? () => void save(remove) : undefined}
        />
        {error !== undefined && <FieldError id={`${of}-error`} text={error} />}
      </div>
    </div>
  );
}
