import { useClient } from '../../../client/index.ts';
import { SettingsSection } from '../../../settings/index.ts';
import { Button, Icon } from '../../../ui/index.ts';
import { FieldError } from '../../../ui/field.tsx';
import { t } from '../../../words/deferred.ts';
import { EmojiPicture, emojiOf } from '../../emoji-picture.tsx';
import { overlay } from '../../overlays/open.ts';
import { TextSetting, useSaver } from '../saving.tsx';

interface Status {
  readonly status_text?: string;
  readonly emoji_name?: string;
  readonly emoji_code?: string;
  readonly reaction_type?: string;
}

const emoji = (emoji_name: string, emoji_code: string) => ({
  emoji_name,
  emoji_code,
  reaction_type: 'unicode_emoji',
});
const PRESETS = [
  ['meeting', emoji('calendar', '1f4c5')],
  ['commuting', emoji('bus', '1f68c')],
  ['sick', emoji('hurt', '1f915')],
  ['vacation', emoji('palm_tree', '1f334')],
  ['remote', emoji('house', '1f3e0')],
] as const;
const NO_EMOJI = { emoji_name: '', emoji_code: '', reaction_type: '' };

/** The reader's status: an emoji and a few words beside their name. */
export function StatusSection() {
  const client = useClient();
  const { model, api } = client;
  const status = model.statuses.get(model.me);
  const saver = useSaver();
  const set = (change: Status) => api.call('POST', '/users/me/status', change);
  const { emoji_name, emoji_code, reaction_type } = status ?? {};
  const shown =
    emoji_name === undefined || emoji_code === undefined || reaction_type === undefined
      ? undefined
      : emojiOf(client, { emoji_name, emoji_code, reaction_type });
  const choose = (anchor: HTMLElement) =>
    (overlay.value = {
      what: 'emoji',
      anchor,
      onChoose: ({ name, code, type }) =>
        void saver.save(() => set({ emoji_name: name, emoji_code: code, reaction_type: type })),
    });
  const isSet = shown !== undefined || (status?.status_text ?? '') !== '';
  return (
    <SettingsSection id="me-status" title={t('me.status')} lede={t('me.statusLede')}>
      <div class="chips">
        <Button
          popup="dialog"
          busy={saver.isBusy}
          label={shown ? t('me.statusEmojiNow', { name: shown.name }) : t('me.statusEmoji')}
          onPress={({ currentTarget }) => currentTarget instanceof HTMLElement && choose(currentTarget)}
        >
          {shown ? (
            <span class="emoji" aria-hidden="true">
              <EmojiPicture emoji={shown} />
            </span>
          ) : (
            <Icon name="smile" small />
          )}
          {t('me.statusEmoji')}
        </Button>
        {shown && (
          <Button small look="ghost" onPress={() => void saver.save(() => set(NO_EMOJI))}>
            {t('me.statusNoEmoji')}
          </Button>
        )}
      </div>
      <TextSetting
        label={t('me.statusText')}
        hint={t('me.statusHint')}
        value={status?.status_text ?? ''}
        maxLength={60}
        onSave={(status_text) => set({ status_text })}
      />
      <div class="chips">
        {PRESETS.map(([key, one]) => (
          <Button
            key={key}
            small
            onPress={() => void saver.save(() => set({ status_text: t(`me.status.${key}`), ...one }))}
          >
            <span class="emoji" aria-hidden="true">
              <EmojiPicture emoji={emojiOf(client, one)} />
            </span>
            {t(`me.status.${key}`)}
          </Button>
        ))}
        {isSet && (
          <Button small look="ghost" onPress={() => void saver.save(() => set({ status_text: '', ...NO_EMOJI }))}>
            {t('me.clearStatus')}
          </Button>
        )}
      </div>
      {saver.error !== undefined && <FieldError id="status-error" text={saver.error} />}
    </SettingsSection>
  );
}
