export { type ImageFacts, MAX_IMAGE_BYTES } from './decoder.ts';
export { ImageCorrupt, ImageFormatInvalid, ImageTooLarge, ImageUndecodable, isBadImage } from './faults.ts';
export { closestFormat, formatsFor, THUMBNAIL_FORMATS, type ThumbnailFormat } from './formats.ts';
export { type Images, openImages, type ReadImage, type Thumbnails } from './images.ts';
export { sniffImageType } from './types.ts';
export { drawCells } from './png.ts';
