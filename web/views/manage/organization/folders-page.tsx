import { useClient } from '../../../client/index.ts';
import type { RegisterState } from '../../../model/index.ts';
import { Icon } from '../../../ui/index.ts';
import { TextInput } from '../../../ui/field.tsx';
import { t } from '../../../words/deferred.ts';
import { useTyped } from '../../typed.tsx';
import { FormField } from '../form-field.tsx';
import { type ItemDialogProps, ItemForm, OrderedList } from './ordered-list.tsx';

type Folder = RegisterState['channel_folders'][number];

/** Folders that group channels in everybody's sidebar. */
export function FoldersPage() {
  const { api, model } = useClient();
  const all = (model.facts.get('channel_folders') ?? []).filter(({ is_archived }) => !is_archived);
  const countIn = (id: number) =>
    [...model.channels.table.all].filter(([, { channel }]) => channel.folder_id === id).length;
  return (
    <OrderedList
      words="folders"
      items={all}
      nameOf={({ name }) => name}
      row={({ id, name }) => (
        <>
          <Icon name="folder" />
          <span class="grow">
            <b dir="auto">{name}</b>
            <small dir="auto">{t('folders.count', { count: countIn(id) })}</small>
          </span>
        </>
      )}
      onOrder={(order) => api.callAny('PATCH', '/channel_folders', { order: withArchived(order) })}
      removal={({ id: channel_folder_id }) => ({
        act: 'archive' as const,
        hint: t('folders.archiveHint'),
        onRemove: () =>
          api.call('PATCH', '/channel_folders/{channel_folder_id}', { channel_folder_id, is_archived: true }),
      })}
      Dialog={FolderDialog}
    />
  );

  /** Adds the archived folders at the end, because an order must name all folders. */
  function withArchived(order: readonly number[]): readonly number[] {
    const archived = (model.facts.peek('channel_folders') ?? []).filter((folder) => folder.is_archived);
    return [...order, ...archived.map(({ id }) => Number(id))];
  }
}

function FolderDialog({ known, onClose }: ItemDialogProps<Folder>) {
  const { api } = useClient();
  const form = `folder-${known?.id ?? 'new'}`;
  const [name, setName] = useTyped(form, 'name', known?.name ?? '');
  const [description, setDescription] = useTyped(form, 'description', known?.description ?? '');
  const send = () =>
    known
      ? api.call('PATCH', '/channel_folders/{channel_folder_id}', { channel_folder_id: known.id, name, description })
      : api.call('POST', '/channel_folders/create', { name, description });
  return (
    <ItemForm words="folders" isNew={known === undefined} form={form} onSend={send} onClose={onClose}>
      <FormField of="name" words={/folder name/} label={t('folders.name')}>
        {(names) => <TextInput {...names} value={name} required maxLength={60} onText={setName} />}
      </FormField>
      <FormField of="description" label={t('folders.description')}>
        {(names) => <TextInput {...names} value={description} maxLength={1024} onText={setDescription} />}
      </FormField>
    </ItemForm>
  );
}
