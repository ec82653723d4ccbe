import { useState } from 'preact/hooks';
import { useClient } from '../../../client/index.ts';
import { Policy } from '../../../model/index.ts';
import { SettingsSection } from '../../../settings/index.ts';
import { Avatar, Button, Chip, Icon } from '../../../ui/index.ts';
import { FieldError, TextInput } from '../../../ui/field.tsx';
import { t } from '../../../words/deferred.ts';
import { channelLook, faceOf, topicName } from '../../shown.ts';
import { useSaver } from '../saving.tsx';

/** Alert words, muted people and muted topics. */
export function AlertsPage() {
  return (
    <>
      <AlertWords />
      <MutedPeople />
      <MutedTopics />
    </>
  );
}

function AlertWords() {
  const { api, model } = useClient();
  const [word, setWord] = useState('');
  const { isBusy, error, save } = useSaver();
  const words = model.facts.get('alert_words') ?? [];
  const add = async () => {
    if (word.trim() === '') return;
    if (await save(() => api.call('POST', '/users/me/alert_words', { alert_words: [word.trim()] }))) setWord('');
  };
  return (
    <SettingsSection id="al-words" title={t('me.words')} lede={t('me.wordsHint')}>
      <form class="add-line" onSubmit={(event) => (event.preventDefault(), void add())}>
        <TextInput aria-label={t('me.newWord')} placeholder={t('me.newWord')} value={word} onText={setWord} />
        <Button submit busy={isBusy}>
          {t('settings.add')}
        </Button>
      </form>
      {error !== undefined && <FieldError id="words-error" text={error} />}
      <div class="chips">
        {words.map((one) => (
          <Chip
            key={one}
            removal={{
              label: t('common.remove', { name: one }),
              onRemove: () => void save(() => api.call('DELETE', '/users/me/alert_words', { alert_words: [one] })),
            }}
          >
            {one}
          </Chip>
        ))}
      </div>
    </SettingsSection>
  );
}

function MutedPeople() {
  const client = useClient();
  const { error, isBusy, save } = useSaver();
  const muted = client.model.facts.get('muted_users') ?? [];
  return (
    <SettingsSection id="al-people" title={t('me.mutedPeople')} lede={t('me.mutedPeopleHint')}>
      {muted.length === 0 && <p class="hint">{t('settings.nobody')}</p>}
      {error !== undefined && <FieldError id="muted-error" text={error} />}
      <ul class={muted.length > 0 ? 'rows' : undefined}>
        {muted.map(({ id }) => {
          const face = faceOf(client, id);
          const unmute = () =>
            void save(() => client.api.call('DELETE', '/users/me/muted_users/{muted_user_id}', { muted_user_id: id }));
          return (
            <li key={id}>
              <Avatar face={face} size={32} />
              <b class="grow" dir="auto">
                {face.name}
              </b>
              <Button small busy={isBusy} label={t('me.unmuteName', { name: face.name })} onPress={unmute}>
                {t('me.unmute')}
              </Button>
            </li>
          );
        })}
      </ul>
    </SettingsSection>
  );
}

function MutedTopics() {
  const client = useClient();
  const { error, isBusy, save } = useSaver();
  const rows = client.model.policies.rows.filter((row) => row.visibility_policy === Policy.muted);
  return (
    <SettingsSection id="al-topics" title={t('me.mutedTopics')}>
      {rows.length === 0 && <p class="hint">{t('me.noTopic')}</p>}
      {error !== undefined && <FieldError id="topics-error" text={error} />}
      <ul class={rows.length > 0 ? 'rows' : undefined}>
        {rows.map(({ stream_id, topic_name }) => {
          const name = topicName(topic_name);
          const unmute = () =>
            void save(() =>
              client.api.call('POST', '/user_topics', {
                stream_id,
                topic: topic_name,
                visibility_policy: Policy.none,
              }),
            );
          return (
            <li key={`${stream_id}-${topic_name}`}>
              <Icon name="mute" />
              <span class="grow">
                <b dir="auto">{topic_name === '' ? <em>{name}</em> : name}</b>
                <small dir="auto">{channelLook(client, stream_id).name}</small>
              </span>
              <Button small busy={isBusy} label={t('me.unmuteName', { name })} onPress={unmute}>
                {t('me.unmute')}
              </Button>
            </li>
          );
        })}
      </ul>
    </SettingsSection>
  );
}
