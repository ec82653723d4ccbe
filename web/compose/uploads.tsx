import { Icon, IconButton } from '../ui/index.ts';
import { t } from '../words/index.ts';

/** An upload in progress. */
export interface ShownUpload {
  readonly key: string;
  readonly name: string;
  readonly isImage?: boolean | undefined;
  /** From 0 to 100. */
  readonly percent: number;
  readonly state: 'running' | 'paused' | 'failed';
  /** Why it failed, in the server's words. */
  readonly fault?: string | undefined;
}

interface UploadsProps {
  readonly uploads: readonly ShownUpload[];
  readonly onCancel: (upload: ShownUpload) => void;
  /** Pauses a running upload, and resumes another one. */
  readonly onSwitch: (upload: ShownUpload) => void;
}

/** Uploads in progress, each with its percentage and a button to cancel it. */
export function Uploads({ uploads, onCancel, onSwitch }: UploadsProps) {
  if (uploads.length === 0) return null;
  return (
    <ul class="uploads" aria-label={t('compose.uploads')}>
      {uploads.map((upload) => (
        <Upload key={upload.key} upload={upload} onCancel={onCancel} onSwitch={onSwitch} />
      ))}
    </ul>
  );
}

const SWITCH = {
  running: { icon: 'pause', label: 'compose.uploadPause' },
  paused: { icon: 'play', label: 'compose.uploadResume' },
  failed: { icon: 'retry', label: 'compose.uploadRetry' },
} as const;

interface UploadProps {
  readonly upload: ShownUpload;
  readonly onCancel: (upload: ShownUpload) => void;
  readonly onSwitch: (upload: ShownUpload) => void;
}

function Upload({ upload, onCancel, onSwitch }: UploadProps) {
  const { name, isImage, percent, state, fault } = upload;
  const { icon, label } = SWITCH[state];
  const progress = t('compose.percent', { percent: Math.floor(percent) });
  return (
    <li class={state === 'failed' ? 'upload failed' : 'upload'}>
      <Icon name={state === 'failed' ? 'alert' : isImage === true ? 'image' : 'clip'} small />
      <span class="clip" dir="auto" title={name}>
        {name}
      </span>
      <span class="quiet">{state === 'failed' ? '' : progress}</span>
      <span class="upload-tools">
        <IconButton icon={icon} small label={t(label, { name })} onPress={() => onSwitch(upload)} />
        <IconButton icon="close" small label={t('compose.uploadCancel', { name })} onPress={() => onCancel(upload)} />
      </span>
      {state === 'failed' ? (
        <span class="err" role="alert">
          {fault}
        </span>
      ) : (
        <progress max={100} value={percent} aria-label={t('compose.upload', { name })}>
          {progress}
        </progress>
      )}
    </li>
  );
}
