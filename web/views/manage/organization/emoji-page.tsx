import { useState } from 'preact/hooks';
import { useClient } from '../../../client/index.ts';
import { TextInput } from '../../../ui/field.tsx';
import { t } from '../../../words/deferred.ts';
import { useTyped } from '../../typed.tsx';
import { FormField } from '../form-field.tsx';
import { FormDialog, ListTools, Removal } from '../list-page.tsx';
import { holdersOf, holds } from '../rights.ts';
import { compareNames } from '../../../words/index.ts';

/** The organization's own emoji. */
export function EmojiPage() {
  const client = useClient();
  const { facts, me } = client.model;
  const [isAdding, setAdding] = useState(false);
  const all = Object.values(facts.get('realm_emoji') ?? {})
    .filter(({ deactivated }) => !deactivated)
    .toSorted((a, b) => compareNames(a.name, b.name));
  const mayAddGroup = facts.get('realm_can_add_custom_emoji_group');
  const mayAdd = holds(client, mayAddGroup);
  const nameOf = (id: number | null) => (id === null ? '' : (client.model.people.table.get(id)?.user.full_name ?? ''));
  return (
    <>
      <ListTools
        lede={t('emoji.lede')}
        add={t('emoji.add')}
        refusal={mayAdd ? undefined : t('emoji.onlyBy', { name: holdersOf(client, mayAddGroup) })}
        onAdd={() => setAdding(true)}
      />
      {all.length === 0 && <p class="hint">{t('emoji.none')}</p>}
      <ul class={all.length > 0 ? 'rows' : undefined}>
        {all.map((one) => (
          <li key={one.id}>
            <img class="cust" src={one.source_url} alt="" />
            <span class="grow">
              <b>:{one.name}:</b>
              <small dir="auto">{nameOf(one.author_id)}</small>
            </span>
            {(facts.get('is_admin') === true || one.author_id === me) && (
              <Removal
                name={one.name}
                hint={t('emoji.removeHint')}
                onRemove={() => client.api.call('DELETE', '/realm/emoji/{emoji_name}', { emoji_name: one.name })}
              />
            )}
          </li>
        ))}
      </ul>
      {isAdding && <AddEmoji onClose={() => setAdding(false)} />}
    </>
  );
}

function AddEmoji({ onClose }: { readonly onClose: () => void }) {
  const { api } = useClient();
  const [file, setFile] = useState<File | undefined>();
  const [name, setName] = useTyped('emoji', 'name', '');
  const choose = (chosen: File | undefined) => {
    setFile(chosen);
    if (chosen && name === '') setName(nameOfFile(chosen.name));
  };
  const send = () => {
    if (!file) return Promise.reject(new Error('no file'));
    return api.call('POST', '/realm/emoji/{emoji_name}', { emoji_name: name, file });
  };
  return (
    <FormDialog title={t('emoji.add')} form="emoji" onSend={send} onClose={onClose}>
      <FormField of="file" words={/file|image|large/i} label={t('emoji.picture')} hint={t('emoji.pictureHint')}>
        {(names) => (
          <input
            {...names}
            class="input"
            type="file"
            accept="image/*"
            required
            onChange={(event) => choose(event.currentTarget.files?.[0])}
          />
        )}
      </FormField>
      <FormField of="name" words={/name|default emoji/i} label={t('emoji.name')} hint={t('emoji.nameHint')}>
        {(names) => <TextInput {...names} value={name} required maxLength={100} onText={setName} />}
      </FormField>
    </FormDialog>
  );
}

/** Makes a name for an emoji of a file name: lower case, with only letters, digits, `-` and `_`. */
export function nameOfFile(file: string): string {
  return file
    .replace(/\.[^.]*$/, '')
    .toLowerCase()
    .replace(/[^a-z0-9_-]+/g, '_')
    .replace(/^[_-]+|[_-]+$/g, '');
}
