import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { contrastFaults } from './contrast.ts';

const css = readFileSync('src/features/pages/tokens.css', 'utf8');

describe('the contrast of the tokens', () => {
  it('is enough', () => {
    expect(contrastFaults(css)).toEqual([]);
  });

  it('is found wanting where text is too pale, on a row under the pointer too', () => {
    const paler = css.replace(/--ink-3: light-dark\(oklch\([\d.]+ /, '--ink-3: light-dark(oklch(0.52 ');
    expect(contrastFaults(paler)).toContainEqual(
      expect.stringMatching(/^light: --ink-3 on --sky has 4\.36, needs 4.5$/),
    );
  });

  it('is found wanting where a channel could not be seen', () => {
    expect(contrastFaults(css.replace('--channel-l-dark: 0.77', '--channel-l-dark: 0.4'))).toContainEqual(
      expect.stringContaining("dark: a channel's colour"),
    );
  });

  it('wants high contrast to be the same, asked by the system or chosen', () => {
    const parted = css.replace(
      /(:root\[data-contrast="more"\] \{[\s\S]*?--ink: light-dark\(\s*oklch\()[\d.]+/,
      '$10.2',
    );
    expect(contrastFaults(parted)).toEqual(['the two blocks of high contrast differ']);
  });
});
