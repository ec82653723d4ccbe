import { useState } from 'preact/hooks';
import { type Client, useClient } from '../../../client/index.ts';
import { SettingsSection } from '../../../settings/index.ts';
import { Button, Dialog } from '../../../ui/index.ts';
import { FieldError } from '../../../ui/field.tsx';
import { t } from '../../../words/deferred.ts';
import { SelectSetting, SwitchSetting, TextSetting, useSaver } from '../saving.tsx';
import type { ChannelTabProps } from './one-channel.tsx';
import { PRIVACIES, privacyChange, privacyOf } from './privacy.ts';

const TOPICS = ['inherit', 'allow_empty_topic', 'disable_empty_topic', 'empty_topic_only'] as const;

/** The name, description and privacy of a channel. */
export function GeneralTab({ id, row: { channel }, fixedBy }: ChannelTabProps) {
  const client = useClient();
  const update = updating(client, id);
  const isAdmin = client.model.facts.get('is_admin') === true;
  const defaults = client.model.facts.get('realm_default_streams') ?? [];
  const folders = (client.model.facts.get('channel_folders') ?? []).filter(({ is_archived }) => !is_archived);
  return (
    <>
      <div class="set-sec">
        <TextSetting
          label={t('channels.name')}
          hint={t('channels.nameHint')}
          value={channel.name}
          maxLength={60}
          fixedBy={fixedBy}
          onSave={(new_name) => update({ new_name })}
        />
        <TextSetting
          label={t('channels.description')}
          hint={t('channels.descriptionHint')}
          value={channel.description}
          rows={3}
          fixedBy={fixedBy}
          onSave={(description) => update({ description })}
        />
        <SelectSetting
          label={t('channels.privacy')}
          hint={t(`channels.privacy.${privacyOf(channel)}.hint`)}
          value={privacyOf(channel)}
          fixedBy={fixedBy}
          options={PRIVACIES.map(({ key }) => ({ value: key, label: t(`channels.privacy.${key}`) }))}
          onSave={(privacy) => update(privacyChange(privacy))}
        />
        {channel.invite_only && (
          <SwitchSetting
            label={t('channels.history')}
            hint={t('channels.historyHint')}
            value={channel.history_public_to_subscribers}
            fixedBy={fixedBy}
            onSave={(history_public_to_subscribers) =>
              update({ history_public_to_subscribers, is_private: true, is_web_public: false })
            }
          />
        )}
        <SelectSetting
          label={t('channels.topics')}
          value={channel.topics_policy}
          fixedBy={fixedBy}
          options={TOPICS.map((value) => ({ value, label: t(`channels.topics.${value}`) }))}
          onSave={(topics_policy) => update({ topics_policy })}
        />
        {(folders.length > 0 || channel.folder_id !== null) && (
          <SelectSetting
            label={t('channels.folder')}
            value={String(channel.folder_id ?? '')}
            fixedBy={fixedBy}
            options={[
              { value: '', label: t('channels.noFolder') },
              ...folders.map((folder) => ({ value: String(folder.id), label: folder.name })),
            ]}
            onSave={(folder) =>
              client.api.callAny('PATCH', '/streams/{stream_id}', {
                stream_id: id,
                folder_id: folder === '' ? null : Number(folder),
              })
            }
          />
        )}
        <SwitchSetting
          label={t('channels.default')}
          hint={t('channels.defaultHint')}
          value={defaults.some((one) => one === id)}
          fixedBy={isAdmin ? undefined : t('group.administrators')}
          onSave={(is_default_stream) => update({ is_default_stream })}
        />
      </div>
      {fixedBy === undefined && !channel.is_archived && <Archive id={id} name={channel.name} />}
      {fixedBy === undefined && channel.is_archived && (
        <SettingsSection id="ch-archive" title={t('channels.isArchived')}>
          <Unarchive id={id} />
        </SettingsSection>
      )}
    </>
  );
}

type Update = Omit<Parameters<typeof patch>[2], 'stream_id'>;

function patch(client: Client, id: number, change: Change) {
  return client.api.call('PATCH', '/streams/{stream_id}', { stream_id: id, ...change });
}

interface Change {
  readonly new_name?: string;
  readonly description?: string;
  readonly is_private?: boolean;
  readonly is_web_public?: boolean;
  readonly history_public_to_subscribers?: boolean;
  readonly topics_policy?: (typeof TOPICS)[number];
  readonly is_default_stream?: boolean;
  readonly is_archived?: boolean;
}

function updating(client: Client, id: number) {
  return (change: Update) => patch(client, id, change);
}

function Archive({ id, name }: { readonly id: number; readonly name: string }) {
  const client = useClient();
  const [isAsking, setAsking] = useState(false);
  const { isBusy, error, save } = useSaver();
  const archive = async () => {
    if (await save(() => client.api.call('DELETE', '/streams/{stream_id}', { stream_id: id })))
      location.hash = '#channels';
  };
  return (
    <SettingsSection id="ch-archive" title={t('channels.archiveTitle')} lede={t('channels.archiveHint')}>
      <Button look="danger" popup="dialog" onPress={() => setAsking(true)}>
        {t('channels.archive')}
      </Button>
      {isAsking && (
        <Dialog
          title={t('channels.archiveAsk', { name })}
          onClose={() => setAsking(false)}
          foot={
            <>
              <Button look="danger" busy={isBusy} onPress={() => void archive()}>
                {t('channels.archive')}
              </Button>
              <Button onPress={() => setAsking(false)}>{t('common.cancel')}</Button>
            </>
          }
        >
          <p>{t('channels.archiveHint')}</p>
          {error !== undefined && <FieldError id="archive-error" text={error} />}
        </Dialog>
      )}
    </SettingsSection>
  );
}

function Unarchive({ id }: { readonly id: number }) {
  const client = useClient();
  const { isBusy, error, save } = useSaver();
  return (
    <>
      <Button busy={isBusy} onPress={() => void save(() => updating(client, id)({ is_archived: false }))}>
        {t('channels.unarchive')}
      </Button>
      {error !== undefined && <FieldError id="unarchive-error" text={error} />}
    </>
  );
}
