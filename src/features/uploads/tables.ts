import type { Id, MessageId, RealmId, UserId } from '#kernel/ids';
import { col, type RowOf, type SelectOf, table } from '#kernel/store';

export type AttachmentId = Id<'Attachment'>;

/** What is known of an uploaded image: pixels, pictures, and the names of its forms. */
export interface ImageNote {
  readonly width: number;
  readonly height: number;
  readonly frames: number;
  /** Media type that the bytes show. */
  readonly type: string;
  /** Names of the thumbnails that were made; none until they are there. */
  readonly thumbnails: readonly string[];
  /** Name of the full-size picture for browsers, where they do not draw the type itself. */
  readonly transcoded?: string;
}

/** Uploaded files. The bytes lie in the files room under `uploads/{path_id}`. */
export const attachment = table('attachment', {
  id: col.id<AttachmentId>(),
  realm_id: col.ref<RealmId>(),
  owner_id: col.ref<UserId>(),
  /** As sent; for people. */
  name: col.text(),
  path_id: col.text(),
  /** Bytes. */
  size: col.int(),
  /** As sent, or guessed from the name; never what the bytes are believed to be. */
  content_type: col.text(),
  create_time: col.int(),
  /** Seconds since 1970 from when on nothing uses it; null while something does. */
  unused_since: col.intOrNull(),
  /** Null for what is no image that can be drawn. */
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

/** Resumable uploads that are not whole yet: what they will take at most. */
const unfinishedUpload = table('unfinished_upload', {
  path_id: col.text(),
  realm_id: col.ref<RealmId>(),
  owner_id: col.ref<UserId>(),
  /** Bytes of the whole file, as its client said when it began. */
  size: col.int(),
  begun_at: col.int(),
  /** What the client said of it; null: another kind of server began it, and has its bytes. */
  metadata: col.jsonOrNull<Readonly<Record<string, string | null>>>(),
  /** Bytes from its beginning that are stored. */
  received: col.int(),
});
export type UnfinishedUpload = SelectOf<typeof unfinishedUpload>;

/** What is stored of unfinished uploads. The bytes lie in the files room, where every process finds them. */
const uploadPiece = table('upload_piece', {
  path_id: col.text(),
  /** Where it begins in the file. */
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
