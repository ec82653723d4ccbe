import type { Clock } from '#kernel/clock';
import type { RealmId } from '#kernel/ids';
import { codePointLength, takeCodePoints } from '#kernel/text';

/** Replaces a name of which nothing is left. See protocol/files#names. */
const NO_NAME = 'uploaded-file';
/**
 * Longest name in an address, in bytes of UTF-8: it fits into a key of the files room, and into a URL when
 * percent-encoded.
 */
const MAX_NAME_BYTES = 200;
/** Length of the unguessable part of an address. See protocol/files#names. */
const TOKEN_LENGTH = 24;

/** Longest name for people, in code points: it is in a header of each download, and no reader takes headers of any length. */
const MAX_SHOWN_NAME = 255;
/** The ending of a name, which says what it is. */
const ENDING = /\.[A-Za-z0-9]{1,10}$/;

/** The name for people: as sent, URL-decoded, and shortened before its ending. */
export function displayName(sent: string): string {
  try {
    return shownName(decodeURIComponent(sent));
  } catch {
    return shownName(sent);
  }
}

/** The name, shortened before its ending where it is too long for people and headers. */
export function shownName(name: string): string {
  if (codePointLength(name) <= MAX_SHOWN_NAME) return name;
  const ending = ENDING.exec(name)?.[0] ?? '';
  return takeCodePoints(name, MAX_SHOWN_NAME - ending.length) + ending;
}

/** The name in addresses and in the file store. See protocol/files#names. */
export function sanitisedName(name: string): string {
  const kept = name
    .normalize('NFKC')
    .replace(/[^\p{L}\p{N}_\s.-]/gu, '')
    .trim()
    .replace(/[-\s]+/gu, '-');
  const short = shorten(kept);
  return short === '' || short === '.' || short === '..' ? NO_NAME : short;
}

/** The name of a resumable upload, with a smaller set of characters. See protocol/files#names. */
export function strictlySanitisedName(name: string): string {
  return sanitisedName(name.replace(/[^A-Za-z0-9_ .-]/g, ''));
}

/** Shortens the stem of a name that is too long, and keeps its extension. */
function shorten(name: string): string {
  if (Buffer.byteLength(name) <= MAX_NAME_BYTES) return name;
  const ending = ENDING.exec(name)?.[0] ?? '';
  const room = MAX_NAME_BYTES - ending.length;
  let stem = '';
  let bytes = 0;
  for (const character of name.slice(0, name.length - ending.length)) {
    bytes += Buffer.byteLength(character);
    if (bytes > room) break;
    stem += character;
  }
  return stem + ending;
}

/** Makes a new, unguessable address for a file with this (sanitised) name. See protocol/files#names. */
export function newPathId(clock: Clock, realmId: RealmId, name: string): string {
  const folder = Math.floor(clock.random() * 256).toString(16);
  return `${realmId}/${folder}/${clock.token(TOKEN_LENGTH)}/${name}`;
}

/** Address of a file. Between slashes it contains only letters, digits, `_`, `.` and `-`. */
export function uploadUrl(pathId: string): string {
  return `/user_uploads/${pathId}`;
}

/** Key of the bytes in the files room. */
export function uploadKey(pathId: string): string {
  return `uploads/${pathId}`;
}

/** Key of a thumbnail of an image in the files room; with an empty name the folder of all of them. */
export function thumbnailKey(pathId: string, name: string): string {
  return `thumbnails/${pathId}/${name}`;
}

/** Folder of the received pieces of unfinished uploads in the files room. */
export const UNFINISHED_FOLDER = 'unfinished/';

/** Key of a piece of an unfinished upload in the files room. */
export function pieceKey(pathId: string, token: string): string {
  return `${UNFINISHED_FOLDER}${pathId}/${token}`;
}
