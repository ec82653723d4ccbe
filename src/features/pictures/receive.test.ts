import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { receivePicture } from './receive.ts';

const none = () => new Error('no picture');
const picture = (hold: (bytes: number) => void) => ({
  fieldName: 'file',
  filename: 'me.png',
  contentType: 'image/png',
  stream: Readable.from([Buffer.from('one'), Buffer.from('more')]),
  hold,
  isLast: () => Promise.resolve(true),
});

it('a picture counts with the bodies that are in memory, and is refused where there is no room', async () => {
  let held = 0;
  expect(
    String(
      await receivePicture(
        picture((bytes) => void (held += bytes)),
        none,
      ),
    ),
  ).toBe('onemore');
  expect(held).toBe(7);
  const full = picture(() => {
    throw new Error('no room');
  });
  await expect(receivePicture(full, none)).rejects.toThrow('no room');
});
