import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { html } from './index.ts';

describe('html', () => {
  it('escapes text, and takes markup and lists of it as they are', () => {
    const items = ['<b>', '"'].map((text) => html`<li title="${text}">${text}</li>`);
    expect(String(html`<ul>${items}</ul>${false}${undefined}${3}`)).toBe(
      '<ul><li title="&lt;b&gt;">&lt;b&gt;</li><li title="&quot;">&quot;</li></ul>3',
    );
  });

  it('lets no text become markup (security#asvs, item 1.2.1)', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(String(html`${text}`)).not.toMatch(/[<>"']/);
      }),
    );
  });
});
