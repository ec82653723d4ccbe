import type { Clock } from '#kernel/clock';
import type { RealmId } from '#kernel/ids';

/** Stands for a name of which nothing is left. See protocol/files#names. */
const NO_NAME = 'uploaded-file';
/** Longest name in an address, in bytes of UTF-8; what the files room allows, and room for a percent-encoded URL. */
const MAX_NAME_BYTES = 200;
/** Length of the unguessable part of an address. See protocol/files#names. */
const TOKEN_LENGTH = 24;

/** The name as people see it: as sent, URL-unquoted. */
export function displayName(sent: string): string {
  try {
    return decodeURIComponent(sent);
  } catch {
    return sent;
  }
}

/** The name as it stands in an address and in the store. See protocol/files#names. */
export function sanitisedName(name: string): string {
  const kept = name
    .normalize('NFKC')
    .replace(/[^\p{L}\p{N}_\s.-]/gu, '')
    .trim()
    .replace(/[-\s]+/gu, '-');
  const short = shorten(kept);
  return short === '' || short === '.' || short === '..' ? NO_NAME : short;
}

/** The name that a resumable upload gets, of few characters. See protocol/files#names. */
export function strictlySanitisedName(name: string): string {
  return sanitisedName(name.replace(/[^A-Za-z0-9_ .-]/g, ''));
}

/** Cuts the stem of a name that is too long, and keeps its ending. */
function shorten(name: string): string {
  if (Buffer.byteLength(name) <= MAX_NAME_BYTES) return name;
  const ending = /\.[A-Za-z0-9]{1,10}$/.exec(name)?.[0] ?? '';
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

/** A new address for a file of this (sanitised) name: unguessable. See protocol/files#names. */
export function newPathId(clock: Clock, realmId: RealmId, name: string): string {
  const folder = Math.floor(clock.random() * 256).toString(16);
  return `${realmId}/${folder}/${clock.token(TOKEN_LENGTH)}/${name}`;
}

/** Address of a file. It holds nothing but letters, digits, `_`, `.` and `-` between slashes. */
export function uploadUrl(pathId: string): string {
  return `/user_uploads/${pathId}`;
}

/** Where the bytes lie in the files room. */
export function uploadKey(pathId: string): string {
  return `uploads/${pathId}`;
}

/** Where what was drawn from an image lies in the files room; empty name: the folder of all of it. */
export function thumbnailKey(pathId: string, name: string): string {
  return `thumbnails/${pathId}/${name}`;
}

/** Where what has arrived of unfinished uploads lies in the files room. */
export const UNFINISHED_FOLDER = 'unfinished/';

/** Where a piece of an unfinished upload lies in the files room. */
export function pieceKey(pathId: string, token: string): string {
  return `${UNFINISHED_FOLDER}${pathId}/${token}`;
}
