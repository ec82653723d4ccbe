import { Role } from '#kernel/permissions';
import { useState } from 'preact/hooks';
import { useClient } from '../../../client/index.ts';
import { useSought } from '../../../settings/index.ts';
import { Avatar } from '../../../ui/index.ts';
import { FieldError } from '../../../ui/field.tsx';
import { t } from '../../../words/deferred.ts';
import { faceOf } from '../../shown.ts';
import { PictureUpload } from '../picture-upload.tsx';
import { roleName } from '../roles.ts';
import { TextSetting, useSaver } from '../saving.tsx';
import { CropDialog, mayCrop } from './crop-dialog.tsx';
import { ProfileFields } from './profile-fields.tsx';
import { StatusSection } from './status-section.tsx';

/** How others see the reader. */
export function ProfilePage() {
  const client = useClient();
  const { model, api } = client;
  const { facts } = model;
  const user = model.people.table.get(model.me)?.user;
  const isAdmin = facts.get('is_admin') === true;
  const isFixed = facts.get('realm_name_changes_disabled') === true && !isAdmin;
  const saveField = (id: number, value: string | readonly number[]) =>
    value.length === 0
      ? api.callAny('DELETE', '/users/me/profile_data', { data: [id] })
      : api.callAny('PATCH', '/users/me/profile_data', { data: [{ id, value }] });
  return (
    <>
      <Picture />
      <div class="set-sec">
        <TextSetting
          label={t('me.name')}
          hint={t('me.nameHint')}
          value={user?.full_name ?? ''}
          maxLength={100}
          fixedBy={isFixed ? t('group.administrators') : undefined}
          onSave={(full_name) => api.call('PATCH', '/settings', { full_name })}
        />
        <TextSetting
          label={t('me.role')}
          value={roleName(user?.role ?? 400)}
          fixedBy={t(user?.role === Role.owner ? 'group.owners' : 'group.administrators')}
          onSave={() => Promise.resolve()}
        />
      </div>
      <ProfileFields id={model.me} onSave={saveField} />
      <StatusSection />
    </>
  );
}

function Picture() {
  const client = useClient();
  const { model, api } = client;
  const { isBusy, error, save } = useSaver();
  const label = t('me.picture');
  const sought = useSought<HTMLDivElement>(label);
  const face = faceOf(client, model.me);
  const isAdmin = model.facts.get('is_admin') === true;
  const isFixed = model.facts.get('realm_avatar_changes_disabled') === true && !isAdmin;
  const refusal = isFixed ? t('manage.onlyBy', { name: t('group.administrators') }) : undefined;
  const [cropped, setCropped] = useState<ImageBitmap | undefined>();
  const send = (file: File) => api.call('POST', '/users/me/avatar', { file });
  const upload = async (file: File) => {
    // A picture that the browser cannot decode is left to the server, which accepts it or says why not.
    const picture = mayCrop(file) ? await createImageBitmap(file).catch(() => undefined) : undefined;
    if (picture) setCropped(picture);
    else void save(() => send(file));
  };
  return (
    <div class="pic-row" role="group" aria-label={label} {...sought}>
      <Avatar face={face} size={96} />
      <div>
        <p class="hint">{refusal ?? t('me.pictureHint')}</p>
        <PictureUpload
          busy={isBusy}
          refusal={refusal}
          onFile={(file) => void upload(file)}
          onRemove={
            face.picture === undefined ? undefined : () => void save(() => api.call('DELETE', '/users/me/avatar', {}))
          }
        />
        {error !== undefined && <FieldError id="picture-error" text={error} />}
        {cropped && <CropDialog picture={cropped} onSend={send} onClose={() => setCropped(undefined)} />}
      </div>
    </div>
  );
}
