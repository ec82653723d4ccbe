import { describe, expect, it } from 'vitest';
import { readPage } from './read-page.ts';
import { readVideo, videoSiteOf } from './videos.ts';
import { processorMs } from '../../../test/support/processor.ts';

const BASE = 'https://news.example/story/1';

describe('what a page says of itself (protocol/markdown#website-cards)', () => {
  it('is read from Open Graph, whatever the quotes and the letter case', () => {
    const page = `<!DOCTYPE html><HTML><head><!-- <meta property="og:title" content="no"> -->
      <script>"<meta property='og:title' content='no'>"</SCRIPT>
      <META content="Tea &amp; &lt;toast&gt; &#x2615;&#8230;" Property='og:title' />
      <meta property=og:description content='  many
        lines "here" '><meta property="og:image" content="/a.png?x=1&amp;y=2"><title>other</title>`;
    expect(readPage(page, BASE)).toEqual({
      title: 'Tea & <toast> ☕…',
      description: 'many lines "here"',
      image: 'https://news.example/a.png?x=1&y=2',
      embedHtml: null,
      kind: 'card',
    });
  });

  it('is read from title and description where there is nothing else, and not from the body', () => {
    const page = `<title> Plain
      page</title><meta name="Description" content="about it"><body><meta property="og:title" content="no">`;
    expect(readPage(page, BASE)).toMatchObject({ title: 'Plain page', description: 'about it', image: null });
    expect(readPage('<p>nothing</p>', BASE)).toBeNull();
    expect(readPage('', BASE)).toBeNull();
  });

  it.each(['javascript:alert(1)', 'data:image/png;base64,xx', 'http://', '  ', `/${'x'.repeat(3000)}`])(
    'has no picture at %s',
    (image) => {
      const page = `<title>x</title><meta property="og:image" content="${image}">`;
      expect(readPage(page, BASE)).toMatchObject({ title: 'x', image: null });
    },
  );

  it.each([
    '<meta '.repeat(50_000),
    '<meta a="'.repeat(30_000),
    `<meta${' '.repeat(250_000)}`,
    '<script>'.repeat(40_000),
    '<!--'.repeat(60_000),
    '<'.repeat(250_000),
    `<title>${'x'.repeat(250_000)}`,
    `<meta content="${'&#'.repeat(120_000)}" property="og:title">`,
    '<a b=\'"'.repeat(40_000),
  ])('is found in time, whatever the page is made of (%#)', async (page) => {
    expect(await processorMs(() => readPage(page, BASE))).toBeLessThan(500);
  });

  it('is asked for by oEmbed where a site of videos is known (protocol/markdown#video)', () => {
    const youtube = videoSiteOf('https://youtu.be/abc?x=1');
    expect(youtube?.question).toBe(
      'https://www.youtube.com/oembed?format=json&url=https%3A%2F%2Fyoutu.be%2Fabc%3Fx%3D1',
    );
    expect(videoSiteOf('https://youtube.com.evil.example/')).toBeUndefined();
    expect(youtube && readVideo(youtube.site, '{"title":"T","html":"<iframe>","thumbnail_url":"https://x/y"}')).toEqual(
      { title: 'T', description: null, image: null, embedHtml: null, kind: 'card' },
    );
    const vimeo = videoSiteOf('https://vimeo.com/12');
    const player = '<iframe src="https://player.vimeo.com/video/12?h=1" width="4" allowfullscreen></iframe>';
    const answer = (html: string) => JSON.stringify({ title: 'T', thumbnail_url: 'https://i.example/1.jpg', html });
    expect(vimeo && readVideo(vimeo.site, answer(player))).toMatchObject({ kind: 'video', embedHtml: player });
    for (const html of [`${player}<script>`, '<iframe src="https://evil.example/"></iframe>', '<b>'])
      expect(vimeo && readVideo(vimeo.site, answer(html))).toMatchObject({ kind: 'card', embedHtml: null });
    const real = `<iframe src="https://player.vimeo.com/video/1?app_id=2" width="426" height="240" frameborder="0" allow="autoplay; fullscreen; web-share" referrerpolicy="strict-origin-when-cross-origin" title="Owls &amp; eggs"></iframe>`;
    expect(vimeo && readVideo(vimeo.site, answer(real))).toMatchObject({ kind: 'video', embedHtml: real });
    for (const attribute of ['onload="alert(1)"', 'srcdoc="&lt;script&gt;"', 'name="x"', 'style="position:fixed"'])
      expect(vimeo && readVideo(vimeo.site, answer(player.replace(' width="4"', ` ${attribute}`)))).toMatchObject({
        kind: 'card',
        embedHtml: null,
      });
    const long = { title: 'x'.repeat(1000), html: player.replace('12?', `${'1'.repeat(5000)}?`) };
    expect(vimeo && readVideo(vimeo.site, JSON.stringify({ ...long, thumbnail_url: 'https://x/y' }))).toMatchObject({
      title: `${'x'.repeat(199)}…`,
      kind: 'card',
    });
    for (const nonsense of ['', '[]', 'null', '3', '{"title":3}'])
      expect(vimeo && readVideo(vimeo.site, nonsense)).toBeNull();
  });
});
