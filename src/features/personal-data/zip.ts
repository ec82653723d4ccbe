import { finished, PassThrough, Readable } from 'node:stream';
import type { Archive } from '#features/exports';

/** A zip that is read while it is made. */
interface StreamedZip {
  readonly stream: Readable;
}

/**
 * Makes a zip as fast as it is read, with at most one piece in memory. If the reader goes away, the making ends; if the
 * making fails, the stream is destroyed, so that nobody takes a part for the whole.
 */
export async function streamZip(now: number, make: (archive: Archive) => Promise<unknown>): Promise<StreamedZip> {
  const { ZipFile } = await import('yazl');
  const zip = new ZipFile();
  const output = zip.outputStream.pipe(new PassThrough());
  // Each write gets the error from its own stream; an error event without a listener would end the process.
  zip.on('error', () => undefined);
  let leave: (error: Error) => void = () => undefined;
  const left = new Promise<never>((_resolve, reject) => {
    leave = reject;
  });
  left.catch(() => undefined);
  finished(output, () => leave(new Error('nobody reads the archive any more')));
  const write: Archive['write'] = async (path, source) => {
    const bytes = Readable.from(source);
    const read = new Promise<void>((resolve, reject) => {
      finished(bytes, (error) => {
        if (error) reject(error);
        else resolve();
      });
    });
    zip.addReadStream(bytes, path, { mtime: new Date(now * 1000), mode: 0o100600 });
    try {
      await Promise.race([read, left]);
    } finally {
      bytes.destroy();
    }
  };
  make({ write }).then(
    () => zip.end(),
    (error: unknown) => output.destroy(error instanceof Error ? error : new Error('the archive could not be made')),
  );
  return { stream: output };
}
