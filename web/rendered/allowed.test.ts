import { describe, expect, it } from 'vitest';
import { judge } from './allowed.ts';

const ORIGIN = 'https://chat.example.com';
const kept = (tag: string, attributes: Record<string, string>) => {
  const verdict = judge(tag, attributes, ORIGIN);
  return typeof verdict === 'string' ? verdict : verdict.keep;
};

describe('server HTML on its way into the page', () => {
  it.each(['script', 'style', 'iframe', 'object', 'embed', 'template', 'svg', 'annotation', 'textarea'])(
    'loses <%s> and what is in it',
    (tag) => expect(judge(tag, {}, ORIGIN)).toBe('nothing'),
  );
  it.each(['form', 'input', 'button', 'link', 'meta', 'base', 'marquee', 'x-widget', 'font'])(
    'loses <%s>, not what is in it',
    (tag) => expect(judge(tag, {}, ORIGIN)).toBe('inside'),
  );

  it('keeps what messages are made of', () => {
    expect(kept('span', { class: 'user-mention silent', 'data-user-id': '7' })).toEqual({
      class: 'user-mention silent',
      'data-user-id': '7',
    });
    expect(kept('div', { class: 'codehilite', 'data-code-language': 'Python' })).toEqual({
      class: 'codehilite',
      'data-code-language': 'Python',
    });
    expect(kept('span', { class: 'emoji emoji-1f44d', role: 'img', title: 'thumbs up' })).toMatchObject({
      role: 'img',
    });
    expect(kept('span', { class: 'kn' })).toEqual({ class: 'kn' });
    expect(kept('mo', { stretchy: 'false' })).toEqual({ stretchy: 'false' });
  });

  it('loses handlers, IDs, names, forms, styles, and classes that are not its own', () => {
    const hostile = { onclick: 'x()', id: 'app', name: 'y', style: 'position:fixed', contenteditable: '', slot: 's' };
    expect(kept('p', hostile)).toEqual({});
    expect(kept('div', { class: 'app codehilite sheet composer' })).toEqual({ class: 'codehilite' });
    expect(kept('span', { role: 'alert', tabindex: '0' })).toEqual({});
    expect(kept('span', { class: 'katex-html' })).toBe('nothing');
  });

  it.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    ' javascript:x',
    'data:text/html,x',
    'vbscript:x',
    'blob:x',
    'http://[',
  ])('leads nowhere with %s', (href) => {
    expect(kept('a', { href })).not.toHaveProperty('href');
    expect(judge('img', { src: href }, ORIGIN)).toBe('nothing');
  });

  it('opens links elsewhere beside the page, and keeps its own in it', () => {
    expect(kept('a', { href: 'https://evil.test/' })).toEqual({
      href: 'https://evil.test/',
      target: '_blank',
      rel: 'noopener noreferrer nofollow ugc',
    });
    expect(kept('a', { href: '/#narrow/channel/5-x', target: 'top' })).toEqual({ href: '/#narrow/channel/5-x' });
    expect(kept('a', { href: '//evil.test/x' })).toMatchObject({ target: '_blank' });
  });

  it('fetches pictures, sounds and films from this server only', () => {
    expect(judge('img', { src: 'https://evil.test/x.png', alt: 'x' }, ORIGIN)).toBe('nothing');
    expect(kept('img', { src: `${ORIGIN}/user_uploads/1/x.png?a=1` })).toEqual({ src: '/user_uploads/1/x.png?a=1' });
    expect(kept('video', { src: '//evil.test/x.mp4', controls: '' })).toEqual({ controls: '' });
  });

  it('has two styles', () => {
    expect(judge('td', { style: 'text-align: right;' }, ORIGIN)).toMatchObject({ styles: { 'text-align': 'right' } });
    expect(judge('p', { style: 'text-align: right;' }, ORIGIN)).not.toHaveProperty('styles');
    const card = (url: string) =>
      judge('a', { class: 'message_embed_image', style: `background-image: url("${url}")` }, ORIGIN);
    expect(card('/external_content/a/b')).toMatchObject({
      styles: { 'background-image': 'url("/external_content/a/b")' },
    });
    expect(card('https://evil.test/x.png')).not.toHaveProperty('styles');
    expect(card('/a");position:fixed;x:url("')).not.toHaveProperty('styles');
  });
});
