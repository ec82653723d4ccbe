import { useEffect, useRef, useState } from 'preact/hooks';
import { csrfToken, showNotice, Upload, type UploadState, useClient } from '../../client/index.ts';
import type { ShownUpload } from '../../compose/index.ts';
import { t } from '../../words/index.ts';

interface UseUploadsOptions {
  readonly insert: (text: string) => void;
  readonly replace: (what: string, by: string) => void;
  /** Replaces text after the composer was closed; without it, closing cancels the uploads. */
  readonly replaceLater?: ((what: string, by: string) => void) | undefined;
}

interface Item {
  readonly key: string;
  readonly file: File;
  readonly upload: Upload;
  readonly state: UploadState;
  /** Text that stands for the link until the upload is complete. */
  readonly placeholder: string;
}

/** Most files of one message. */
const MOST = 20;
let made = 0;

/** Uploads files into a text: a placeholder stands for each until its link replaces it. */
export function useUploads({ insert, replace, replaceLater }: UseUploadsOptions) {
  const client = useClient();
  const [items, setItems] = useState<readonly Item[]>([]);
  const latest = useRef({ items, replace });
  latest.current = { items, replace };
  const isGone = useRef(false);
  const input = useRef<HTMLInputElement>();
  useEffect(
    () => () => {
      isGone.current = true;
      if (!replaceLater) for (const { upload } of latest.current.items) void upload.cancel();
    },
    [],
  );
  const remove = (key: string) => setItems((all) => all.filter((one) => one.key !== key));
  const start = (file: File) => {
    const key = `upload${++made}`;
    const placeholder = t('compose.uploading', { name: safe(file.name) });
    const upload = new Upload({
      file,
      clock: client.clock,
      fetch: (url, init) => fetch(url, init),
      token: () => csrfToken(false),
      lost: t('compose.uploadLost'),
      onChange: (state) =>
        isGone.current || setItems((all) => all.map((one) => (one.key === key ? { ...one, state } : one))),
      onDone: ({ filename, url }) => {
        const link = `[${safe(filename)}](${url})`;
        if (isGone.current) return replaceLater?.(placeholder, link);
        remove(key);
        latest.current.replace(placeholder, link);
      },
    });
    setItems((all) => [...all, { key, file, upload, state: upload.state, placeholder }]);
    void upload.run();
    return placeholder;
  };
  const attach = (files: readonly File[]) => {
    const most = client.model.facts.peek('max_file_upload_size_mib') ?? 25;
    const fitting = files.filter(({ size }) => size <= most * 1024 * 1024).slice(0, MOST);
    if (fitting.length < files.length) showNotice(client, t('compose.uploadTooLarge', { size: most }));
    if (fitting.length > 0) insert(`${fitting.map(start).join('\n')}\n`);
  };
  const ask = () => {
    input.current ??= fileInput((files) => attach(files));
    input.current.click();
  };
  const find = ({ key }: ShownUpload) => latest.current.items.find((one) => one.key === key);
  return {
    attach,
    ask,
    cancel: (shown: ShownUpload) => {
      const item = find(shown);
      if (!item) return;
      void item.upload.cancel();
      remove(item.key);
      latest.current.replace(item.placeholder, '');
    },
    toggle: (shown: ShownUpload) => {
      const item = find(shown);
      if (item?.state.state === 'running') item.upload.pause();
      else void item?.upload.run();
    },
    shown: items.map(({ key, file, state }): ShownUpload => {
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
