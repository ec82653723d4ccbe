import { Avatar, type Face, Icon, IconButton, useModal } from '../../ui/index.ts';
import { t } from '../../words/deferred.ts';

/** A picture of a message. */
export interface LightboxImage {
  readonly key: string;
  readonly src: string;
  readonly thumbnail: string;
  readonly name: string;
}

interface LightboxProps {
  readonly image: LightboxImage;
  /** "1 of 3 · Mia Member · Friday 16:40 · 1,200 × 800" */
  readonly facts: string;
  readonly sender: Face;
  readonly images: readonly LightboxImage[];
  readonly isZoomed: boolean;
  readonly onZoom: () => void;
  readonly onShow: (image: LightboxImage) => void;
  readonly onMessage: () => void;
  readonly onClose: () => void;
}

/** A picture over the whole page; arrow keys show the others of the conversation. */
export function Lightbox(props: LightboxProps) {
  const { image, facts, sender, images, isZoomed, onZoom, onShow, onMessage, onClose } = props;
  const ref = useModal(onClose);
  const at = images.findIndex(({ key }) => key === image.key);
  const [before, after] = [images[at - 1], images[at + 1]];
  const onKey = (event: KeyboardEvent) => {
    const next = event.key === 'ArrowLeft' ? before : event.key === 'ArrowRight' ? after : undefined;
    if (next) onShow(next);
  };
  return (
    <dialog ref={ref} class="lightbox" aria-label={t('lightbox.label', { name: image.name })} onKeyDown={onKey}>
      <div class="lb-h">
        <Avatar face={sender} size={32} />
        <p class="grow">
          <span class="clip" dir="auto">
            {image.name}
          </span>
          <small class="clip">{facts}</small>
        </p>
        <IconButton
          icon={isZoomed ? 'zoomout' : 'zoomin'}
          label={t(isZoomed ? 'lightbox.zoomOut' : 'lightbox.zoomIn')}
          onPress={onZoom}
        />
        <a
          class="icon-btn"
          href={image.src}
          download={image.name}
          aria-label={t('lightbox.download')}
          title={t('lightbox.download')}
        >
          <Icon name="download" />
        </a>
        <IconButton icon="reply" label={t('lightbox.toMessage')} onPress={onMessage} />
        <IconButton icon="close" label={t('common.close')} keys="Esc" onPress={onClose} />
      </div>
      <div class={isZoomed ? 'stage zoomed' : 'stage'}>
        {before && (
          <IconButton
            icon="left"
            class="nav prev"
            label={t('lightbox.previous')}
            keys="←"
            onPress={() => onShow(before)}
          />
        )}
        <img src={image.src} alt={image.name} />
        {after && (
          <IconButton icon="right" class="nav next" label={t('lightbox.next')} keys="→" onPress={() => onShow(after)} />
        )}
      </div>
      {images.length > 1 && (
        <div class="thumbs" role="group" aria-label={t('lightbox.all')}>
          {images.map((other) => (
            <button
              key={other.key}
              type="button"
              aria-label={other.name}
              aria-current={other.key === image.key ? 'true' : undefined}
              onClick={() => onShow(other)}
            >
              <img src={other.thumbnail} alt="" loading="lazy" />
            </button>
          ))}
        </div>
      )}
    </dialog>
  );
}
