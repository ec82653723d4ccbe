import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { type Client, csrfToken, showNotice, Upload, type UploadState, useClient } from '../../client/index.ts';
import type { ShownUpload } from '../../compose/index.ts';
import { t } from '../../words/index.ts';

interface UseUploadsOptions {
  readonly text: string;
  readonly insert: (text: string) => void;
  /** Replaces a part of the text, if it is there. */
  readonly replace: (what: string, by: string) => void;
}

interface Item {
  readonly key: string;
  readonly file: File;
  readonly upload: Upload;
  readonly state: UploadState;
  /** Text that stands for the link until the upload is complete. No other upload has the same. */
  readonly placeholder: string;
}

/** Most files of one message. */
const MOST = 20;
let made = 0;

/** All uploads of the page. Each belongs to the text with its placeholder, which may be closed, opened and moved. */
const items = signal<readonly Item[]>([]);
/** The texts that are open. */
const open = new Set<{ readonly current: UseUploadsOptions }>();

const remove = (key: string) => (items.value = items.value.filter((one) => one.key !== key));

/** Replaces a placeholder wherever it is, in open texts and in drafts. */
function settle({ drafts }: Client, { key, placeholder }: Item, link: string): void {
  remove(key);
  for (const { current } of open) current.replace(placeholder, link);
  for (const { conversation, text } of drafts.all.peek())
    drafts.set(
      conversation,
      text.replace(placeholder, () => link),
    );
}

function start(client: Client, file: File): string {
  const key = `upload${++made}`;
  const name = safe(file.name);
  const isTaken = items.peek().some((one) => one.file.name === file.name);
  const upload = new Upload({
    file,
    clock: client.clock,
    fetch: (url, init) => fetch(url, init),
    token: () => csrfToken(false),
    lost: t('compose.uploadLost'),
    onChange: (state) => (items.value = items.value.map((one) => (one.key === key ? { ...one, state } : one))),
    onDone: ({ filename, url }) => settle(client, item, `[${safe(filename)}](${url})`),
  });
  const placeholder = t('compose.uploading', { name: isTaken ? `${name} ${made}` : name });
  const item = { key, file, upload, state: upload.state, placeholder };
  items.value = [...items.value, item];
  void upload.run();
  return placeholder;
}

/** Uploads files into a text: a placeholder stands for each until its link replaces it. */
export function useUploads(options: UseUploadsOptions) {
  const client = useClient();
  const latest = useRef(options);
  latest.current = options;
  const input = useRef<HTMLInputElement>();
  useEffect(() => {
    open.add(latest);
    return () => void open.delete(latest);
  }, []);
  const attach = (files: readonly File[]) => {
    const most = client.model.facts.peek('max_file_upload_size_mib') ?? 25;
    const fitting = files.filter(({ size }) => size <= most * 1024 * 1024).slice(0, MOST);
    if (fitting.length < files.length) showNotice(client, t('compose.uploadTooLarge', { size: most }));
    if (fitting.length > 0) latest.current.insert(`${fitting.map((file) => start(client, file)).join('\n')}\n`);
  };
  const ask = () => {
    input.current ??= fileInput((files) => attach(files));
    input.current.click();
  };
  const find = ({ key }: ShownUpload) => items.peek().find((one) => one.key === key);
  return {
    attach,
    ask,
    cancel: (shown: ShownUpload) => {
      const item = find(shown);
      void item?.upload.cancel();
      if (item) settle(client, item, '');
    },
    toggle: (shown: ShownUpload) => {
      const item = find(shown);
      if (item?.state.state === 'running') item.upload.pause();
      else void item?.upload.run();
    },
    shown: items.value
      .filter(({ placeholder }) => options.text.includes(placeholder))
      .map(({ key, file, state }): ShownUpload => {
        return { key, name: file.name, isImage: file.type.startsWith('image/'), ...state };
      }),
  };
}

/** Removes what would end a link's text, swallow links as code, or mention people; Markdown has no escape for these. */
const safe = (name: string) =>
  name
    .replaceAll(/[[\]\n]/g, '')
    .replaceAll('`', "'")
    .replaceAll(/(?<=[@#]_?)\*+/g, '');

function fileInput(onFiles: (files: readonly File[]) => void): HTMLInputElement {
  const input = document.createElement('input');
  input.type = 'file';
  input.multiple = true;
  input.addEventListener('change', () => {
    onFiles([...(input.files ?? [])]);
    input.value = '';
  });
  return input;
}
