import { setTimeout as sleep } from 'node:timers/promises';
import { crc32, deflateSync } from 'node:zlib';
import { authorizationOf } from '../support/connection.ts';
import { answerTo, type Attack, posting } from './attack.ts';

/** Milliseconds within which thumbnails of an upload are made. */
const DRAWING_MS = 1_500;

/** Makes a PNG of one colour with pixels of so many bits. */
function png(side: number, { bits, type }: { readonly bits: number; readonly type: number }): Buffer {
  const channels = type === 6 ? 4 : 1;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side);
  header.writeUInt32BE(side, 4);
  header.set([bits, type], 8);
  const rows = Buffer.alloc(side * (1 + Math.ceil((side * channels * bits) / 8)));
  const chunks = [
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows, { level: 6 })),
    chunk('IEND', Buffer.alloc(0)),
  ];
  return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), ...chunks]);
}

function chunk(name: string, data: Buffer): Buffer {
  const [length, sum, named] = [Buffer.alloc(4), Buffer.alloc(4), Buffer.concat([Buffer.from(name), data])];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}

/** Makes a GIF of so many frames, each of one pixel, in a picture of a given size. */
function gif(frames: number, side: number): Buffer {
  const size = Buffer.alloc(4);
  size.writeUInt16LE(side);
  size.writeUInt16LE(side, 2);
  const head = Buffer.concat([Buffer.from('GIF89a'), size, Buffer.from('800000ff0000000000', 'hex')]);
  const frame = Buffer.from('21f904000a000000' + '2c000000000100010000' + '0202440100', 'hex');
  return Buffer.concat([head, ...Array.from({ length: frames }, () => frame), Buffer.from(';')]);
}

const AVATAR = () => '/users/me/avatar';
const UPLOAD = () => '/user_uploads';
const EMOJI = (round: number) => `/realm/emoji/hostile${round}${Math.round(performance.now())}`;

const made = new Map<string, Buffer>();

/** Makes an attack of uploading a picture to a path. */
function picture(name: string, make: () => Buffer, path: (round: number) => string, type = 'image/png'): Attack {
  return {
    name: `picture: ${name}`,
    send: (scene, round) => {
      const bytes = made.get(name) ?? make();
      made.set(name, bytes);
      const begin = `--f\r\nContent-Disposition: form-data; name="file"; filename="a.${type.slice(6)}"\r\nContent-Type: ${type}\r\n\r\n`;
      const body = Buffer.concat([Buffer.from(begin), bytes, Buffer.from('\r\n--f--\r\n')]);
      const headers = {
        authorization: authorizationOf(scene.owner),
        'content-type': 'multipart/form-data; boundary=f',
      };
      const request = posting(`/api/v1${path(round)}`, headers, body);
      if (path !== UPLOAD) return request;
      return async () => {
        const answer = await answerTo(scene, request);
        await sleep(DRAWING_MS);
        return answer;
      };
    },
  };
}

/** Pictures that are much larger when decoded. */
export const PICTURES: readonly Attack[] = [
  picture('avatar of 20,000 x 20,000', () => png(20_000, { bits: 1, type: 0 }), AVATAR),
  picture('avatar of 7,000 x 7,000', () => png(7_000, { bits: 8, type: 6 }), AVATAR),
  picture('upload of 20,000 x 20,000', () => png(20_000, { bits: 1, type: 0 }), UPLOAD),
  picture('upload of 7,000 x 7,000', () => png(7_000, { bits: 8, type: 6 }), UPLOAD),
  picture('avatar of 10,000 frames', () => gif(10_000, 1_000), AVATAR, 'image/gif'),
  picture('emoji of 10,000 frames', () => gif(10_000, 60), EMOJI, 'image/gif'),
  picture('emoji of 1,000 frames', () => gif(1_000, 200), EMOJI, 'image/gif'),
  picture('upload of 10,000 frames', () => gif(10_000, 1_000), UPLOAD, 'image/gif'),
];
