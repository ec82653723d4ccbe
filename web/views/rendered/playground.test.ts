import { describe, expect, it } from 'vitest';
import { playgroundsFor } from './playground.ts';

const place = (url_template: string, pygments_language = 'Python') => ({
  name: 'Play',
  pygments_language,
  url_template,
});
const hrefOf = (template: string, code = "print('a b')") => playgroundsFor([place(template)], 'Python', code)[0]?.href;

describe('playgrounds of a language', () => {
  it('are those of the language alone, with the code in the address', () => {
    const all = [place('https://play.test/{code}'), place('https://play.test/{code}', 'Rust')];
    expect(playgroundsFor(all, 'python', 'x = 1')).toEqual([{ name: 'Play', href: 'https://play.test/x%20%3D%201' }]);
    expect(playgroundsFor(all, '', 'x')).toEqual([]);
  });

  it('put the code where the template says, each sign escaped', () => {
    expect(hrefOf('https://play.test/{?code}')).toBe('https://play.test/?code=print%28%27a%20b%27%29');
    expect(hrefOf('https://play.test/?v=1{&code}')).toBe('https://play.test/?v=1&code=print%28%27a%20b%27%29');
    expect(hrefOf('https://play.test/{#code}', 'a b')).toBe('https://play.test/#a%20b');
    expect(hrefOf('https://play.test/x{+code}', '/a?b')).toBe('https://play.test/x/a?b');
  });

  it('lead nowhere but to pages', () => {
    expect(hrefOf('javascript:{code}')).toBeUndefined();
    expect(hrefOf('{+code}', 'javascript:alert(1)')).toBeUndefined();
    expect(hrefOf('not an address {code}')).toBeUndefined();
    expect(hrefOf('https://play.test/{code}', '\ud800')).toBe('https://play.test/%EF%BF%BD');
  });
});
