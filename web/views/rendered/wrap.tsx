import { render } from 'preact';
import { IconButton } from '../../ui/index.ts';
import { timeIn } from '../../rendered/index.ts';
import { type TimeStyle, t } from '../../words/index.ts';
import { copyText } from '../feed/copy.ts';
import { playgroundsFor } from './playground.ts';

interface Reader {
  readonly me: number;
  readonly style: TimeStyle;
  readonly playgrounds: Parameters<typeof playgroundsFor>[0];
  /** Name of the sender of a "/me" message. */
  readonly actor?: string | undefined;
}

/**
 * Makes a rendered message interactive: spoilers open, code can be copied, tables scroll, times are in the reader's
 * zone.
 */
export function wrap(root: ParentNode, { me, style, playgrounds, actor }: Reader): void {
  if (actor !== undefined) act(root, actor);
  for (const one of root.querySelectorAll<HTMLElement>('.spoiler-block')) spoiler(one);
  for (const one of root.querySelectorAll<HTMLElement>('.codehilite')) code(one, playgrounds);
  for (const one of root.querySelectorAll<HTMLElement>('table')) table(one);
  for (const one of root.querySelectorAll<HTMLTimeElement>('time[datetime]')) time(one, style);
  for (const one of root.querySelectorAll<HTMLElement>('.message_inline_image')) gallery(one);
  for (const one of root.querySelectorAll<HTMLImageElement>('img:not([alt])')) picture(one);
  for (const one of root.querySelectorAll('.user-mention')) {
    const id = one.getAttribute('data-user-id');
    if (id === String(me) || id === '*') one.classList.add('me');
  }
}

/** Replaces "/me" by the sender's name. */
function act(root: ParentNode, actor: string): void {
  const first = root.querySelector('p')?.firstChild;
  if (!(first instanceof Text) || !first.data.startsWith('/me')) return;
  first.data = first.data.slice('/me'.length);
  const name = document.createElement('b');
  name.className = 'who';
  name.dir = 'auto';
  name.textContent = actor;
  first.before(name);
}

/** Adds an element for a control at the end of another. */
function placeIn(parent: HTMLElement): HTMLElement {
  const host = document.createElement('span');
  parent.append(host);
  return host;
}

function spoiler(block: HTMLElement): void {
  const header = block.querySelector<HTMLElement>('.spoiler-header');
  const content = block.querySelector<HTMLElement>('.spoiler-content');
  if (!header || !content) return;
  const host = placeIn(header);
  host.className = 'spoiler-switch';
  content.removeAttribute('aria-hidden');
  if (header.textContent?.trim() === '') header.prepend(t('spoiler.title'));
  const show = (isOpen: boolean): void => {
    content.hidden = !isOpen;
    render(
      <IconButton
        icon="chev"
        small
        class={isOpen ? 'is-open' : ''}
        label={t(isOpen ? 'spoiler.hide' : 'spoiler.show')}
        expanded={isOpen}
        onPress={() => show(!isOpen)}
      />,
      host,
    );
  };
  header.addEventListener('click', ({ target }) => {
    if (target instanceof Element && target.closest('a, button') === null) show(content.hidden !== false);
  });
  show(false);
}

function code(block: HTMLElement, playgrounds: Reader['playgrounds']): void {
  const pre = block.querySelector('pre');
  if (!pre) return;
  pre.tabIndex = 0;
  const bar = document.createElement('div');
  bar.className = 'bar';
  const language = document.createElement('span');
  language.className = 'grow';
  language.textContent = block.dataset['codeLanguage'] ?? '';
  bar.append(language);
  block.prepend(bar);
  const text = (pre.textContent ?? '').replace(/\n$/, '');
  for (const { name, href } of playgroundsFor(playgrounds, language.textContent, text)) {
    const link = document.createElement('a');
    link.className = 'try';
    link.href = href;
    link.target = '_blank';
    link.rel = 'noopener noreferrer';
    link.dir = 'auto';
    link.textContent = t('message.playground', { name });
    bar.append(link);
  }
  const host = placeIn(bar);
  const show = (isDone: unknown): void =>
    render(
      <IconButton
        icon={isDone === true ? 'check' : 'copy'}
        small
        label={t(isDone === true ? 'message.copied' : 'message.copyCode')}
        onPress={() => void copyText(text).then(show)}
      />,
      host,
    );
  show(false);
}

function table(element: HTMLElement): void {
  const box = document.createElement('div');
  box.className = 'table-wrap';
  box.tabIndex = 0;
  box.setAttribute('role', 'region');
  box.setAttribute('aria-label', t('message.table'));
  element.replaceWith(box);
  box.append(element);
}

/** Formats a time for the reader; the tooltip shows what was typed. */
function time(element: HTMLTimeElement, style: TimeStyle): void {
  element.title = t('message.timeTyped', { text: element.textContent ?? '' });
  element.textContent = timeIn(element, style);
}

/** Names a picture by its title, else by its file, for screen readers. */
function picture(image: HTMLImageElement): void {
  const link = image.closest('a');
  const file = (link?.getAttribute('href') ?? '').split(/[?#]/, 1)[0]?.split('/').at(-1) ?? '';
  image.alt = link?.title !== undefined && link.title !== '' ? link.title : readable(file);
}

function readable(file: string): string {
  try {
    return decodeURIComponent(file);
  } catch {
    return file;
  }
}

/** Puts consecutive pictures side by side. */
function gallery(box: HTMLElement): void {
  if (box.parentElement?.classList.contains('gallery') === true) return;
  const row = document.createElement('div');
  row.className = 'gallery';
  box.before(row);
  while (row.nextElementSibling?.classList.contains('message_inline_image') === true)
    row.append(row.nextElementSibling);
}
