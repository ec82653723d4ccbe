import { useState } from 'preact/hooks';
import { useClient } from '../../../client/index.ts';
import type { RegisterState } from '../../../model/index.ts';
import { Button, Field, Icon, TextInput } from '../../../ui/index.ts';
import { t } from '../../../words/managing.ts';
import { adminsOnly, FormDialog, ListTools, OrderButtons, Removal } from '../list-page.tsx';

type Folder = RegisterState['channel_folders'][number];

/** Folders in which channels stand in everybody's sidebar. */
export function FoldersPage() {
  const client = useClient();
  const { facts, channels } = client.model;
  const [open, setOpen] = useState<Folder | 'new' | undefined>();
  const all = (facts.get('channel_folders') ?? []).filter(({ is_archived }) => !is_archived);
  const ids = all.map(({ id }) => Number(id));
  const refusal = adminsOnly(facts.get('is_admin'));
  const countIn = (id: number) => [...channels.table.all].filter(([, { channel }]) => channel.folder_id === id).length;
  return (
    <>
      <ListTools lede={t('folders.lede')} add={t('folders.add')} refusal={refusal} onAdd={() => setOpen('new')} />
      {all.length === 0 && <p class="hint">{t('folders.none')}</p>}
      <ul class={all.length > 0 ? 'rows wide' : undefined}>
        {all.map((one) => (
          <li key={one.id}>
            <Icon name="folder" />
            <span class="grow">
              <b dir="auto">{one.name}</b>
              <small dir="auto">{t('folders.count', { count: countIn(one.id) })}</small>
            </span>
            {refusal === undefined && (
              <span class="row-end">
                <OrderButtons
                  name={one.name}
                  ids={ids}
                  id={one.id}
                  onOrder={(order) => client.api.callAny('PATCH', '/channel_folders', { order: withArchived(order) })}
                />
                <Button small look="ghost" label={t('list.editName', { name: one.name })} onPress={() => setOpen(one)}>
                  {t('list.edit')}
                </Button>
                <Removal
                  name={one.name}
                  word={t('folders.archive')}
                  hint={t('folders.archiveHint')}
                  onRemove={() =>
                    client.api.call('PATCH', '/channel_folders/{channel_folder_id}', {
                      channel_folder_id: one.id,
                      is_archived: true,
                    })
                  }
                />
              </span>
            )}
          </li>
        ))}
      </ul>
      {open !== undefined && (
        <FolderDialog known={open === 'new' ? undefined : open} onClose={() => setOpen(undefined)} />
      )}
    </>
  );

  /** An order names all folders; those out of use stand last. */
  function withArchived(order: readonly number[]): readonly number[] {
    const archived = (facts.peek('channel_folders') ?? []).filter((folder) => folder.is_archived);
    return [...order, ...archived.map(({ id }) => Number(id))];
  }
}

interface FolderDialogProps {
  readonly known: Folder | undefined;
  readonly onClose: () => void;
}

function FolderDialog({ known, onClose }: FolderDialogProps) {
  const { api } = useClient();
  const [name, setName] = useState(known?.name ?? '');
  const [description, setDescription] = useState(known?.description ?? '');
  const send = () =>
    known
      ? api.call('PATCH', '/channel_folders/{channel_folder_id}', { channel_folder_id: known.id, name, description })
      : api.call('POST', '/channel_folders/create', { name, description });
  return (
    <FormDialog
      title={known ? t('folders.change') : t('folders.add')}
      way={known ? t('list.save') : t('folders.add')}
      onSend={send}
      onClose={onClose}
    >
      <Field label={t('folders.name')}>
        {(names) => <TextInput {...names} value={name} required maxLength={60} onText={setName} />}
      </Field>
      <Field label={t('folders.description')}>
        {(names) => <TextInput {...names} value={description} maxLength={1024} onText={setDescription} />}
      </Field>
    </FormDialog>
  );
}
