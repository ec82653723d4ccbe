import { useEffect, useRef, useState } from 'preact/hooks';
import { Field } from '../../../ui/field.tsx';
import { t } from '../../../words/deferred.ts';
import { FormDialog } from '../list-page.tsx';
import { cropBox, dragged, type Framing, WHOLE } from './crop-box.ts';

/** Side of the shown and of the uploaded square, in px. */
const SHOWN = 256;
const SENT = 512;
const MAX_ZOOM = 4;

/** Whether a picture can be cropped: animated ones would stand still, so they are uploaded as they are. */
export function mayCrop(file: File): boolean {
  return ['image/png', 'image/jpeg', 'image/webp'].includes(file.type);
}

interface CropDialogProps {
  readonly picture: ImageBitmap;
  readonly onSend: (file: File) => Promise<unknown>;
  readonly onClose: () => void;
}

/** A dialog that chooses the square of a picture, by dragging or with three sliders. */
export function CropDialog({ picture, onSend, onClose }: CropDialogProps) {
  const [framing, setFraming] = useState<Framing>(WHOLE);
  const canvas = useRef<HTMLCanvasElement>(null);
  const from = useRef<{ readonly x: number; readonly y: number } | undefined>();
  const { width, height } = picture;
  useEffect(() => draw(canvas.current, picture, framing), [picture, framing]);
  useEffect(() => () => picture.close(), [picture]);
  const onPointerMove = (event: PointerEvent) => {
    if (!from.current) return;
    const [dx, dy] = [event.clientX - from.current.x, event.clientY - from.current.y];
    from.current = { x: event.clientX, y: event.clientY };
    setFraming((now) => dragged({ width, height }, now, dx / SHOWN, dy / SHOWN));
  };
  const onPointerDown = (event: PointerEvent) => {
    canvas.current?.setPointerCapture(event.pointerId);
    from.current = { x: event.clientX, y: event.clientY };
  };
  const stop = () => (from.current = undefined);
  const slider = (key: keyof Framing, label: string, min: number, max: number) => (
    <Field label={label}>
      {(names) => (
        <input
          {...names}
          type="range"
          min={min}
          max={max}
          step={0.01}
          value={framing[key]}
          onInput={(event) => setFraming({ ...framing, [key]: Number(event.currentTarget.value) })}
        />
      )}
    </Field>
  );
  return (
    <FormDialog
      title={t('me.crop')}
      way={t('me.usePicture')}
      onSend={async () => onSend(await cut(picture, framing))}
      onClose={onClose}
    >
      <canvas
        ref={canvas}
        class="crop"
        width={SHOWN}
        height={SHOWN}
        role="img"
        aria-label={t('me.cropSeen')}
        onPointerDown={onPointerDown}
        onPointerMove={onPointerMove}
        onPointerUp={stop}
        onPointerCancel={stop}
      />
      {slider('zoom', t('me.cropZoom'), 1, MAX_ZOOM)}
      {slider('across', t('me.cropAcross'), 0, 1)}
      {slider('down', t('me.cropDown'), 0, 1)}
    </FormDialog>
  );
}

function draw(canvas: HTMLCanvasElement | null, picture: ImageBitmap, framing: Framing): void {
  const context = canvas?.getContext('2d');
  if (!canvas || !context) return;
  const { x, y, side } = cropBox(picture, framing);
  context.clearRect(0, 0, canvas.width, canvas.height);
  context.imageSmoothingQuality = 'high';
  context.drawImage(picture, x, y, side, side, 0, 0, canvas.width, canvas.height);
}

async function cut(picture: ImageBitmap, framing: Framing): Promise<File> {
  const canvas = document.createElement('canvas');
  canvas.width = SENT;
  canvas.height = SENT;
  draw(canvas, picture, framing);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
  if (!blob) throw new Error('the browser made no picture');
  return new File([blob], 'picture.png', { type: 'image/png' });
}
