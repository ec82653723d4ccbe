import { describe, expect, it } from 'vitest';
import { namesTag } from './entity-tag.ts';

describe('the tags of a conditional request', () => {
  it.each(['"a"', 'W/"a"', '"b", "a"', ' W/"b",W/"a" ', '*'])('%s names the version', (header) => {
    expect(namesTag(header, '"a"')).toBe(true);
    expect(namesTag(header, 'W/"a"')).toBe(true);
  });

  it.each([undefined, '', 'a', '"b"', '"a', 'W/"aa"', '"*"'])('%s does not', (header) => {
    expect(namesTag(header, '"a"')).toBe(false);
  });
});
