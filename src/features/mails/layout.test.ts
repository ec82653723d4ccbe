import { parse } from 'parse5';
import { expect, it } from 'vitest';
import { withLayout } from './layout.ts';

const SENDER = { organization: 'A & B', url: 'https://chat.example.org', support: 'it@example.org' };
const mail = (text: string) => ({ to: { address: 'max@roost.test' }, subject: 'Hello <you>', text });

it('shows the text of a mail as paragraphs, with its addresses as links, and keeps the text', () => {
  const { text, html = '' } = withLayout(mail('Hello Max,\n\nopen it:\nhttps://chat.example.org/x?a=1&b=2.\n'), SENDER);
  expect(text).toBe(
    'Hello Max,\n\nopen it:\nhttps://chat.example.org/x?a=1&b=2.\n\nQuestions? Write to it@example.org.',
  );
  expect(html).toContain('<p>Hello Max,</p>');
  const link = 'https://chat.example.org/x?a=1&amp;b=2';
  expect(html).toContain(`<p>open it:<br><a href="${link}">${link}</a>.</p>`);
  expect(html).toContain('Questions? Write to it@example.org.');
  expect(html).toContain('prefers-color-scheme: dark');
});

it('shows what a mail asks for as a button, and no other address', () => {
  const action = { label: 'Join & talk', url: 'https://chat.example.org/join' };
  const { html = '' } = withLayout({ ...mail(`To join:\n\n${action.url}\n\nhttps://else.test/`), action }, SENDER);
  expect(html.match(/class="go"/g)).toHaveLength(1);
  expect(html).toContain(`<a class="go" href="${action.url}">Join &amp; talk</a>`);
  expect(html).toContain(`<a href="${action.url}">${action.url}</a>`);
});

it('makes links of the addresses of the organization only, because a name can be an address', () => {
  const names = [
    'https://else.test/log-in',
    'https://chat.example.org.else.test/',
    'https://chat.example.org@else.test',
  ];
  const ours = ['https://chat.example.org', 'https://chat.example.org/join'];
  const { html = '' } = withLayout(
    mail([...names, ...ours].map((name) => `${name} has invited you`).join('\n')),
    SENDER,
  );
  const links = [...html.matchAll(/<p>.*<\/p>/g)].join('').matchAll(/href="([^"]*)"/g);
  expect([...links].map(([, href]) => href)).toEqual(ours);
  for (const name of names) expect(html).toContain(name);
});

it('lets no text of people become markup', () => {
  const { html = '' } = withLayout(mail('<script>alert(1)</script> https://x.test/"><img src=x>'), SENDER);
  const names: string[] = [];
  const walk = (node: object): void => {
    if ('tagName' in node) names.push(String(node.tagName));
    for (const child of 'childNodes' in node ? (node.childNodes as readonly object[]) : []) walk(child);
  };
  walk(parse(html));
  expect(names).not.toContain('script');
  expect(names).not.toContain('img');
  expect(html).toContain('<title>Hello &lt;you&gt;</title>');
});
