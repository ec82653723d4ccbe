import { describe, expect, it } from 'vitest';
import { exchangeThumbnails, pendingIn, renderMarkdown, showsImage, type UploadFacts } from '../index.ts';
import { makeWorld } from '../testing.ts';

const path = '2/cd/Pq34uV/queue.jpg';
const pending: UploadFacts = {
  path_id: path,
  content_type: 'image/jpeg',
  width: 640,
  height: 480,
  thumbnail_format: null,
  transcoded: null,
};
const ready = { ...pending, thumbnail_format: '840x560.webp' };
const failed = { ...pending, width: null, height: null };

const render = async (text: string, upload: UploadFacts) =>
  (await renderMarkdown(text, makeWorld({ uploads: [upload], imagePreviews: true }))).html;

const texts = [
  `[queue](/user_uploads/${path})`,
  `see [the "queue" & <more>](/user_uploads/${path}) there`,
  `/user_uploads/${path}`,
  `- a\n- [q](/user_uploads/${path})`,
  `before ![a "quoted" alt](/user_uploads/${path}) after`,
  `![](/user_uploads/${path} "the title") and [x](/user_uploads/${path})`,
];

describe('exchanging placeholders of thumbnails (protocol/markdown#images-from-links)', () => {
  it.each(texts)('gives for %j the same as rendering it later', async (text) => {
    const early = await render(text, pending);
    if (early.includes('image-loading-placeholder')) expect(pendingIn(early)).toEqual([path]);
    expect(exchangeThumbnails(early, [ready])).toBe(await render(text, ready));
  });

  it('finds the placeholders, and leaves those whose thumbnails are still pending', async () => {
    for (const text of [texts[0] ?? '', texts[4] ?? '']) {
      const early = await render(text, pending);
      expect(pendingIn(early)).toEqual([path]);
      expect(exchangeThumbnails(early, [pending])).toBe(early);
      expect(showsImage(early)).toBe(true);
    }
  });

  it('removes placeholders whose thumbnails have failed, and nothing else', async () => {
    const early = await render(`[queue](/user_uploads/${path}) and ![x](/user_uploads/${path})`, pending);
    const left = exchangeThumbnails(early, [failed]);
    expect(left).toBe(`<p><a href="/user_uploads/${path}">queue</a> and </p>`);
    expect(showsImage(left)).toBe(false);
    expect(exchangeThumbnails(early, [])).toBe(left);
  });

  it('ignores text that looks like a placeholder', async () => {
    const early = await render(`[queue](/user_uploads/${path})`, pending);
    const forged = await render(`\`\`\`\n${early}\n\`\`\`\n\n${early}`, pending);
    expect(pendingIn(forged)).toEqual([]);
    expect(exchangeThumbnails(forged, [ready])).toBe(forged);
  });
});
