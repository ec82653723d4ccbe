import { describe, expect, it } from 'vitest';
import { renderMarkdown } from '../index.ts';
import { makeWorld } from '../testing.ts';

const sourceOf = async (url: string): Promise<string | undefined> =>
  /<(?:img|video)[^>]* src="([^"]*)"/.exec((await renderMarkdown(url, makeWorld())).html)?.[1];

describe('the sources of images and videos in previews (protocol/markdown#images-from-links)', () => {
  it.each([
    ['https://github.com/a/b/blob/main/c.png', 'https://raw.githubusercontent.com/a/b/main/c.png'],
    ['https://en.wikipedia.org/wiki/File:Owl.jpg', 'https://en.wikipedia.org/wiki/Special:FilePath/File:Owl.jpg'],
    [
      'https://www.dropbox.com/scl/fi/ab/owl.png?rlkey=x&dl=0',
      'https://www.dropbox.com/scl/fi/ab/owl.png?rlkey=x&raw=1',
    ],
    ['https://dropbox.com/scl/fi/ab/owl.mp4?rlkey=x', 'https://dropbox.com/scl/fi/ab/owl.mp4?rlkey=x&raw=1'],
    ['https://dropbox.com/scl/fi/ab/owl.jpg', 'https://dropbox.com/scl/fi/ab/owl.jpg?raw=1'],
    ['https://www.dropbox.com/s/ab/owl.png?dl=0', 'https://www.dropbox.com/s/ab/owl.png?raw=1'],
    ['https://www.dropbox.com/sh/ab/cd/owl.mp4', 'https://www.dropbox.com/sh/ab/cd/owl.mp4?raw=1'],
    ['https://youtu.be/abc_DEF-1?t=3', 'https://i.ytimg.com/vi/abc_DEF-1/mqdefault.jpg'],
    ['https://m.youtube.com/watch?a=b&v=abc&t=3', 'https://i.ytimg.com/vi/abc/mqdefault.jpg'],
    ['https://www.youtube.com/watch_videos?video_ids=abc,def', 'https://i.ytimg.com/vi/abc/mqdefault.jpg'],
    ['https://www.youtube-nocookie.com/embed/abc/def', 'https://i.ytimg.com/vi/abc/mqdefault.jpg'],
    ['https://youtube.com/shorts/abc', 'https://i.ytimg.com/vi/abc/mqdefault.jpg'],
    ['https://a.example/OWL.PNG?x=1#y', 'https://a.example/OWL.PNG?x=1#y'],
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
    'https://www.dropbox.com/photos/owl.png',
    'https://www.dropbox.com/sc/ab/owl.mp4',
    'https://a.png',
    'https://a.example?owl.png',
    '[owl](owl.webp)',
    '[owl](mailto:a@b.png)',
    'https://a.mp4',
    'https://youtu.be/abc**',
    'https://youtu.be/abc/def',
    'https://youtu.be/',
    'https://www.youtube.com/watch?v=abc**',
    'https://www.youtube.com/playlist?v=abc',
    'https://evil.example/watch?v=abc',
  ])('%s has no preview', async (url) => {
    expect(await sourceOf(url)).toBeUndefined();
  });
});
