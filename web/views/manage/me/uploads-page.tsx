import { useState } from 'preact/hooks';
import { type Client, useClient } from '../../../client/index.ts';
import { Icon } from '../../../ui/index.ts';
import { SearchInput } from '../../../ui/field.tsx';
import { locale } from '../../../words/index.ts';
import { t } from '../../../words/deferred.ts';
import { useAnswer } from '../../answer.ts';
import { dayOf } from '../../shown.ts';
import { Awaited } from '../awaited.tsx';
import { Removal } from '../list-page.tsx';
import { LongRows } from '../long-rows.tsx';

const ask = ({ api }: Client) => api.call('GET', '/attachments', {});
type Answer = Awaited<ReturnType<typeof ask>>;
type Attachment = Answer['attachments'][number];

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;

/** The reader's files, the newest first, with their sizes, their messages, and a way to delete each. */
export function UploadsPage() {
  const client = useClient();
  const [query, setQuery] = useState('');
  const answer = useAnswer(() => ask(client), [client]);
  const { found, again } = answer;
  const wanted = query.trim().toLocaleLowerCase();
  const files = (found?.attachments ?? [])
    .filter(({ name }) => name.toLocaleLowerCase().includes(wanted))
    .toSorted((a, b) => Number(b.id) - Number(a.id));
  return (
    <>
      <p class="set-lede">{t('uploads.lede')}</p>
      <Awaited id="uploads-error" answer={answer} />
      {found && (
        <>
          <p class="hint">{roomOf(client, found)}</p>
          {found.attachments.length > 0 && (
            <div class="toolbar">
              <SearchInput label={t('uploads.find')} value={query} onText={setQuery} />
            </div>
          )}
          <LongRows
            rows={files}
            keyOf={({ id }) => id}
            draw={(file) => <FileRow key={file.id} file={file} onDone={again} />}
          />
          {files.length === 0 && <p class="hint">{t(wanted === '' ? 'uploads.none' : 'uploads.nothing')}</p>}
        </>
      )}
    </>
  );
}

/** Says how much space the organization's files take, and how large one file may be. */
function roomOf({ model }: Client, { upload_space_used }: Answer): string {
  const most = model.facts.get('max_file_upload_size_mib') ?? 0;
  const used = t('uploads.used', { size: fileSize(upload_space_used) });
  return most === 0 ? used : `${used} ${t('uploads.most', { size: fileSize(most * 2 ** 20) })}`;
}

function FileRow({ file, onDone }: { readonly file: Attachment; readonly onDone: () => Promise<void> }) {
  const client = useClient();
  const { id, name, path_id, size, create_time, message_ids } = file;
  const day = dayOf(client, create_time);
  const newest = message_ids.at(-1);
  return (
    <li>
      <Icon name="clip" />
      <span class="grow">
        <b dir="auto">
          <a href={`/user_uploads/${path_id}`} target="_blank" rel="noreferrer">
            {name}
          </a>
        </b>
        <small>
          {fileSize(size)} · {day} ·{' '}
          {newest === undefined ? (
            t('uploads.unused')
          ) : (
            <a href={`#narrow/id/${newest}`}>{t('uploads.uses', { count: message_ids.length })}</a>
          )}
        </small>
      </span>
      <Removal
        name={name}
        act="delete"
        hint={t('uploads.deleteHint')}
        onRemove={async () => {
          await client.api.call('DELETE', '/attachments/{attachment_id}', { attachment_id: id });
          await onDone();
        }}
      />
    </li>
  );
}

/** Formats a size in bytes for people: with at most three digits, in the largest unit that fits at least once. */
export function fileSize(bytes: number): string {
  const step = bytes < 1 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log(bytes) / Math.log(1024)));
  const value = bytes / 1024 ** step;
  return new Intl.NumberFormat(locale(), {
    style: 'unit',
    unit: UNITS[step] ?? 'byte',
    unitDisplay: step === 0 ? 'long' : 'short',
    maximumFractionDigits: value < 10 && step > 0 ? 1 : 0,
  }).format(value);
}
