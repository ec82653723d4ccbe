import { useRef, useState } from 'preact/hooks';
import { useClient } from '../../../client/index.ts';
import { SettingsSection } from '../../../settings/index.ts';
import { Avatar, Button, FieldError } from '../../../ui/index.ts';
import { t } from '../../../words/index.ts';
import { faceOf } from '../../shown.ts';
import { roleName } from '../roles.ts';
import { TextSetting, useSaver } from '../saving.tsx';
import { CropDialog, mayCrop } from './crop-dialog.tsx';
import { ProfileFields } from './profile-fields.tsx';

const PRESETS = ['meeting', 'commuting', 'sick', 'vacation', 'remote'] as const;

/** How others see the reader. */
export function ProfilePage() {
  const client = useClient();
  const { model, api } = client;
  const { facts } = model;
  const user = model.people.table.get(model.me)?.user;
  const isAdmin = facts.get('is_admin') === true;
  const isFixed = facts.get('realm_name_changes_disabled') === true && !isAdmin;
  const status = model.statuses.get(model.me)?.status_text ?? '';
  const setStatus = (status_text: string) => api.call('POST', '/users/me/status', { status_text });
  const preset = useSaver();
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
          fixedBy={t('group.administrators')}
          onSave={() => Promise.resolve()}
        />
      </div>
      <ProfileFields />
      <SettingsSection id="me-status" title={t('me.status')} lede={t('me.statusLede')}>
        <TextSetting
          label={t('me.statusText')}
          hint={t('me.statusHint')}
          value={status}
          maxLength={60}
          onSave={setStatus}
        />
        <div class="chips">
          {PRESETS.map((key) => (
            <Button key={key} small onPress={() => void preset.save(() => setStatus(t(`me.status.${key}`)))}>
              {t(`me.status.${key}`)}
            </Button>
          ))}
          {status !== '' && (
            <Button small look="ghost" onPress={() => void preset.save(() => setStatus(''))}>
              {t('me.clearStatus')}
            </Button>
          )}
        </div>
        {preset.error !== undefined && <FieldError id="status-error" text={preset.error} />}
      </SettingsSection>
    </>
  );
}

function Picture() {
  const client = useClient();
  const { model, api } = client;
  const input = useRef<HTMLInputElement>(null);
  const { isBusy, error, save } = useSaver();
  const face = faceOf(client, model.me);
  const isAdmin = model.facts.get('is_admin') === true;
  const isFixed = model.facts.get('realm_avatar_changes_disabled') === true && !isAdmin;
  const refusal = isFixed ? t('manage.onlyBy', { name: t('group.administrators') }) : undefined;
  const [cropped, setCropped] = useState<ImageBitmap | undefined>();
  const send = (file: File) => api.call('POST', '/users/me/avatar', { file });
  const upload = async (file: File | undefined) => {
    if (!file) return;
    // What the browser cannot read, the server may, or says why not.
    const picture = mayCrop(file) ? await createImageBitmap(file).catch(() => undefined) : undefined;
    if (picture) setCropped(picture);
    else void save(() => send(file));
  };
  return (
    <div class="pic-row">
      <Avatar face={face} size={96} />
      <div>
        <p class="hint">{refusal ?? t('me.pictureHint')}</p>
        <div class="chips">
          <Button icon="upload" busy={isBusy} refusal={refusal} onPress={() => input.current?.click()}>
            {t('me.upload')}
          </Button>
          {face.picture !== undefined && (
            <Button
              look="ghost"
              busy={isBusy}
              refusal={refusal}
              onPress={() => void save(() => api.call('DELETE', '/users/me/avatar', {}))}
            >
              {t('me.removePicture')}
            </Button>
          )}
        </div>
        <input
          ref={input}
          type="file"
          hidden
          accept="image/*"
          aria-label={t('me.upload')}
          onChange={(event) => {
            void upload(event.currentTarget.files?.[0]);
            event.currentTarget.value = '';
          }}
        />
        {error !== undefined && <FieldError id="picture-error" text={error} />}
        {cropped && <CropDialog picture={cropped} onSend={send} onClose={() => setCropped(undefined)} />}
      </div>
    </div>
  );
}
