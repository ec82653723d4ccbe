import { expect, it } from 'vitest';
import { Lanes } from './lanes.ts';

/** A work that ends when it is told to. */
function held(log: string[], name: string) {
  let end: (error?: Error) => void = () => undefined;
  const work = () =>
    new Promise<void>((resolve, reject) => {
      log.push(name);
      end = (error) => (error ? reject(error) : resolve());
    });
  return { work, end: (error?: Error) => end(error) };
}

it('lets so many works run at once, and the next begin when one has ended', async () => {
  const [log, lanes] = [[] as string[], new Lanes(2)];
  const [a, b, c] = ['a', 'b', 'c'].map((name) => held(log, name)) as [
    ReturnType<typeof held>,
    ReturnType<typeof held>,
    ReturnType<typeof held>,
  ];
  await lanes.begin(a.work);
  await lanes.begin(b.work);
  const third = lanes.begin(c.work);
  expect(log).toEqual(['a', 'b']);
  b.end();
  await third;
  expect(log).toEqual(['a', 'b', 'c']);
  a.end();
  c.end();
  await lanes.end();
});

it('begins nothing after a failure, and tells it at the end, when the others have ended', async () => {
  const [log, lanes] = [[] as string[], new Lanes(2)];
  const [a, b, c] = [held(log, 'a'), held(log, 'b'), held(log, 'c')];
  await lanes.begin(a.work);
  await lanes.begin(b.work);
  a.end(new Error('no room'));
  await expect(lanes.begin(c.work)).rejects.toThrow('no room');
  expect(log).toEqual(['a', 'b']);
  const ended = lanes.end();
  b.end();
  await expect(ended).rejects.toThrow('no room');
});
