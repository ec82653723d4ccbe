const UNKNOWN = 'application/octet-stream';
const UNTYPED = 'text/plain';

/** Media types by file extension, for files sent without one. */
const BY_ENDING: ReadonlyMap<string, string> = new Map([
  ['7z', 'application/x-7z-compressed'],
  ['aac', 'audio/aac'],
  ['apng', 'image/apng'],
  ['avi', 'video/x-msvideo'],
  ['avif', 'image/avif'],
  ['bin', UNKNOWN],
  ['bmp', 'image/bmp'],
  ['css', 'text/css'],
  ['csv', 'text/csv'],
  ['doc', 'application/msword'],
  ['docx', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
  ['exe', UNKNOWN],
  ['flac', 'audio/flac'],
  ['gif', 'image/gif'],
  ['gz', 'application/gzip'],
  ['ico', 'image/vnd.microsoft.icon'],
  ['heic', 'image/heic'],
  ['htm', 'text/html'],
  ['html', 'text/html'],
  ['jpeg', 'image/jpeg'],
  ['jpg', 'image/jpeg'],
  ['js', 'text/javascript'],
  ['json', 'application/json'],
  ['m4a', 'audio/mp4'],
  ['md', 'text/markdown'],
  ['mov', 'video/quicktime'],
  ['mp3', 'audio/mpeg'],
  ['mp4', 'video/mp4'],
  ['odt', 'application/vnd.oasis.opendocument.text'],
  ['oga', 'audio/ogg'],
  ['ogg', 'audio/ogg'],
  ['pdf', 'application/pdf'],
  ['png', 'image/png'],
  ['ppt', 'application/vnd.ms-powerpoint'],
  ['pptx', 'application/vnd.openxmlformats-officedocument.presentationml.presentation'],
  ['py', 'text/x-python'],
  ['rtf', 'application/rtf'],
  ['svg', 'image/svg+xml'],
  ['tar', 'application/x-tar'],
  ['tif', 'image/tiff'],
  ['tiff', 'image/tiff'],
  ['tsv', 'text/tab-separated-values'],
  ['txt', 'text/plain'],
  ['wav', 'audio/wav'],
  ['weba', 'audio/webm'],
  ['webm', 'video/webm'],
  ['webp', 'image/webp'],
  ['xls', 'application/vnd.ms-excel'],
  ['xlsx', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
  ['xml', 'application/xml'],
  ['zip', 'application/zip'],
]);

const TYPE = /^[a-z0-9][a-z0-9!#$&^_.+-]{0,60}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,80}$/;

/**
 * The media type that was sent, else the type of the file extension. The form parser reports text/plain for a file
 * without a type, so a more specific extension takes precedence. See protocol/files#upload.
 */
export function contentTypeOf(sent: string | undefined, name: string): string {
  const type = (sent ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
  const guessed = BY_ENDING.get(/\.([A-Za-z0-9]+)$/.exec(name)?.[1]?.toLowerCase() ?? '');
  if (!TYPE.test(type) || type === UNKNOWN) return guessed ?? UNKNOWN;
  return type === UNTYPED ? (guessed ?? UNTYPED) : type;
}
