import type { Actor } from '#kernel/auth';
import type { UploadedFile } from '#kernel/endpoint';
import { invariant } from '#kernel/errors';
import type { Context } from '#kernel/context';
import { enqueue } from '#kernel/jobs';
import type { RealmReadTx, WriteTx } from '#kernel/store';
import { readRealm, settingsOf } from '#features/realms';
import { announceAttachments } from './announce.ts';
import { contentTypeOf } from './content-types.ts';
import { FileTooLarge, OneFileOnly, UploadQuotaExceeded } from './errors.ts';
import { inspectImage } from './images.ts';
import { makeThumbnails } from './jobs.ts';
import { displayName, newPathId, sanitisedName, uploadKey } from './names.ts';
import { addUsage, insertAttachment, readUsage } from './queries.ts';
import { readUnfinished } from './partial/index.ts';
import type { AttachmentRow } from './tables.ts';

const MIB = 1024 * 1024;

/** Most MiB of a file, and the bytes that the organization has left; undefined without a quota. */
interface Room {
  readonly maxMib: number;
  readonly left: number | undefined;
}

/** Facts about a file before its row is written. */
interface Received {
  readonly name: string;
  readonly path_id: string;
  readonly size: number;
  readonly content_type: string;
}

/** Stores the file of a form as it arrives, and creates the attachment. See protocol/files#upload. */
export async function receiveFile(context: Context, actor: Actor, file: UploadedFile): Promise<AttachmentRow> {
  const room = await context.store.as(actor).read((tx) => readRoom(tx, context));
  assertFits(0, room);
  const name = displayName(file.filename);
  const path_id = newPathId(context.clock, actor.realmId, sanitisedName(name));
  const size = await context.files.put(uploadKey(path_id), bounded(file.stream, room));
  try {
    if (!(await file.isLast())) throw OneFileOnly();
    return await addAttachment(context, actor, {
      name,
      path_id,
      size,
      content_type: contentTypeOf(file.contentType, name),
    });
  } catch (error) {
    await context.files.remove(uploadKey(path_id));
    throw error;
  }
}

/**
 * Creates the attachment of a file whose bytes are stored; the quota is enforced only here. `claim` may still throw.
 */
export async function addAttachment(
  context: Context,
  actor: Actor,
  received: Received,
  claim?: (tx: WriteTx) => Promise<void>,
): Promise<AttachmentRow> {
  const image = await inspectImage(context, received);
  return context.store.as(actor).write(async (tx) => {
    await claim?.(tx);
    const used = await addUsage(tx, received.size);
    const quota = await readQuota(tx);
    if (quota !== undefined && used > quota) throw UploadQuotaExceeded();
    const row = await insertAttachment(tx, { ...received, image, realm_id: actor.realmId, owner_id: actor.userId });
    await announceAttachments(tx, [row], 'add');
    await enqueue(tx, makeThumbnails, { id: row.id });
    return row;
  });
}

/** The limits for a new file; bytes reserved for unfinished uploads count as used. */
export async function readRoom(tx: RealmReadTx, context: Pick<Context, 'server'>): Promise<Room> {
  const quota = await readQuota(tx);
  if (quota === undefined) return { maxMib: context.server.maxUploadMib, left: undefined };
  const reserved = await readUnfinished(tx, { realm_id: tx.realmId });
  const left = quota - (await readUsage(tx)) - reserved.bytes;
  return { maxMib: context.server.maxUploadMib, left };
}

/** Throws if a file of this size is too large for the server or exceeds what the organization has left. */
export function assertFits(size: number, { maxMib, left }: Room): void {
  if (maxMib === 0 || size > maxMib * MIB) throw FileTooLarge({ max_size: maxMib });
  if (left !== undefined && size > Math.max(0, left)) throw UploadQuotaExceeded();
}

async function readQuota(tx: RealmReadTx): Promise<number | undefined> {
  const { upload_quota_mib } = settingsOf(await readRealm(tx));
  return upload_quota_mib === null ? undefined : upload_quota_mib * MIB;
}

/** Yields the bytes as they arrive; throws as soon as there are too many. */
async function* bounded(stream: AsyncIterable<unknown>, room: Room): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const chunk of stream) {
    invariant(Buffer.isBuffer(chunk), 'a file part yields buffers');
    size += chunk.length;
    assertFits(size, room);
    yield chunk;
  }
}
