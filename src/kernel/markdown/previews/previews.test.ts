import { describe, expect, it } from 'vitest';
import { renderMarkdown } from '../index.ts';
import { makeWorld } from '../testing.ts';

const sourceOf = async (url: string): Promise<string | undefined> =>
  /<(?:img|video)[^>]* src="([^"]*)"/.exec((await renderMarkdown(url, makeWorld())).html)?.[1];

describe('addresses whose pictures and films lie elsewhere (contract markdown 2.13)', () => {
  it.each([
    ['https://github.com/a/b/blob/main/c.png', 'https://raw.githubusercontent.com/a/b/main/c.png'],
    ['https://en.wikipedia.org/wiki/File:Owl.jpg', 'https://en.wikipedia.org/wiki/Special:FilePath/File:Owl.jpg'],
    [
      'https://www.dropbox.com/scl/fi/ab/owl.png?rlkey=x&dl=0',
      'https://www.dropbox.com/scl/fi/ab/owl.png?rlkey=x&raw=1',
    ],
    ['https://dropbox.com/scl/fi/ab/owl.mp4?rlkey=x', 'https://dropbox.com/scl/fi/ab/owl.mp4?rlkey=x&raw=1'],
    ['https://dropbox.com/scl/fi/ab/owl.jpg', 'https://dropbox.com/scl/fi/ab/owl.jpg?raw=1'],
    ['https://dropbox.com.evil.test/scl/fi/ab/owl.jpg', 'https://dropbox.com.evil.test/scl/fi/ab/owl.jpg'],
    ['https://a.example/owl.mp4', 'https://a.example/owl.mp4'],
  ])('%s', async (url, source) => {
    expect((await sourceOf(url))?.replaceAll('&amp;', '&')).toBe(source);
  });

  it.each([
    'https://pasteboard.co/x.png',
    'https://a.example/owl.mp4?x=1',
    'https://dropbox.com/scl/fi/ab/owl.txt',
    'https://dropbox.com/scl/fo/folder',
  ])('%s has no preview', async (url) => {
    expect(await sourceOf(url)).toBeUndefined();
  });
});
