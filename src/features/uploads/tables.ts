import type { Id, MessageId, RealmId, UserId } from '#kernel/ids';
import { col, type RowOf, type SelectOf, table } from '#kernel/store';

export type AttachmentId = Id<'Attachment'>;

/** Facts about an uploaded image: pixels, frames, and the names of its renditions. */
export interface ImageNote {
  readonly width: number;
  readonly height: number;
  readonly frames: number;
  /** Media type that was detected from the bytes. */
  readonly type: string;
  /** Names of the thumbnails; empty until they are made. */
  readonly thumbnails: readonly string[];
  /** Name of the full-size rendition for browsers that cannot display the type itself. */
  readonly transcoded?: string;
}

/** Uploaded files. The bytes are in the files room under `uploads/{path_id}`. */
export const attachment = table('attachment', {
  id: col.id<AttachmentId>(),
  realm_id: col.ref<RealmId>(),
  owner_id: col.ref<UserId>(),
  /** As sent, for people. */
  name: col.text(),
  path_id: col.text(),
  /** Bytes. */
  size: col.int(),
  /** As sent, or guessed from the name; it says nothing reliable about the bytes. */
  content_type: col.text(),
  create_time: col.int(),
  /** Seconds since 1970 since when nothing uses it; null while something does. */
  unused_since: col.intOrNull(),
  /** Null if the file is no image that can be drawn. */
  image: col.jsonOrNull<ImageNote>(),
});
export type AttachmentRow = SelectOf<typeof attachment>;

/** Which messages use a file. */
const attachmentUse = table('attachment_use', {
  realm_id: col.ref<RealmId>(),
  attachment_id: col.ref<AttachmentId>(),
  message_id: col.ref<MessageId>(),
});

/** Bytes of all uploads of an organization. */
const uploadUsage = table('upload_usage', { realm_id: col.ref<RealmId>(), used_bytes: col.int() });

/** Unfinished resumable uploads, with the most bytes that they will take. */
const unfinishedUpload = table('unfinished_upload', {
  path_id: col.text(),
  realm_id: col.ref<RealmId>(),
  owner_id: col.ref<UserId>(),
  /** Bytes of the whole file, as its client announced. */
  size: col.int(),
  begun_at: col.int(),
  /** The client's metadata; null if another kind of server began the upload and has its bytes. */
  metadata: col.jsonOrNull<Readonly<Record<string, string | null>>>(),
  /** Number of bytes, from the beginning, that are stored. */
  received: col.int(),
});
export type UnfinishedUpload = SelectOf<typeof unfinishedUpload>;

/** Stored pieces of unfinished uploads. The bytes are in the files room, where every process finds them. */
const uploadPiece = table('upload_piece', {
  path_id: col.text(),
  /** Offset of its first byte in the file. */
  first_byte: col.int(),
  realm_id: col.ref<RealmId>(),
  size: col.int(),
  /** Part of its key in the files room. */
  token: col.text(),
});
export type UploadPiece = SelectOf<typeof uploadPiece>;

export const uploadTables = [attachment, attachmentUse, uploadUsage, unfinishedUpload, uploadPiece];

declare module '#kernel/store' {
  interface Tables {
    attachment: RowOf<typeof attachment>;
    attachment_use: RowOf<typeof attachmentUse>;
    upload_usage: RowOf<typeof uploadUsage>;
    unfinished_upload: RowOf<typeof unfinishedUpload>;
    upload_piece: RowOf<typeof uploadPiece>;
  }
}
