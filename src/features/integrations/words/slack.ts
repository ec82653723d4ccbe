import { Field, firstOf } from '../field.ts';
import { bold, bullets, code, lines, link, Markdown, md, paragraphs, time } from '../markdown.ts';

/** Deepest nesting of rich text that is followed. */
const MAX_DEPTH = 8;

/** Converts a Slack message: text, blocks and attachments. */
export function readSlack(message: Field): Markdown {
  const blocks = message.at('blocks').list.map((block) => readBlock(block, 0));
  const said = new Markdown(
    paragraphs(...blocks)
      .toString()
      .replace(/(?:\n\n---|^---)+$/, ''),
  );
  // If there are blocks, the text is only for notifications.
  const text = said.isEmpty ? mrkdwn(message.at('text').text) : undefined;
  return paragraphs(text, said, ...message.at('attachments').list.map(attachment));
}

function readBlock(block: Field, depth: number): Markdown {
  if (depth > MAX_DEPTH) return md``;
  const inner = (path: string) => block.at(path).list.map((one) => readBlock(one, depth + 1));
  switch (block.at('type').text) {
    case 'header':
      return block.at('text.text').text === '' ? md`` : bold(block.at('text.text'));
    case 'divider':
      return new Markdown('---');
    case 'image':
      return picture(block);
    case 'context':
      return lines(inner('elements'), ' ');
    case 'actions':
      return lines(inner('elements'), ' · ');
    case 'button':
      return block.at('url').exists ? link(firstOf(block.at('text.text'), block.at('url')), block.at('url')) : md``;
    case 'rich_text':
      return paragraphs(...inner('elements'));
    case 'rich_text_section':
      return lines(inner('elements'), '');
    case 'rich_text_quote':
      return prefixed('> ', lines(inner('elements'), ''));
    case 'rich_text_preformatted':
      return fenced(
        block
          .at('elements')
          .list.map((one) => firstOf(one.at('text'), one.at('url')))
          .join(''),
      );
    case 'rich_text_list': {
      const ordered = block.at('style').text === 'ordered';
      return lines(inner('elements').map((one, index) => md`${new Markdown(ordered ? `${index + 1}. ` : '* ')}${one}`));
    }
    case 'text':
      return styled(block);
    case 'link':
      return link(firstOf(block.at('text'), block.at('url')), block.at('url'));
    case 'emoji':
      return md`:${block.at('name').text}:`;
    case 'user':
    case 'usergroup':
    case 'broadcast':
      return md`@${firstOf(block.at('user_id'), block.at('usergroup_id'), block.at('range'))}`;
    case 'channel':
      return md`#${block.at('channel_id').text}`;
    case 'date':
      return time(block.at('timestamp'));
    case 'table':
      return lines(
        block.at('rows').list.map((row) =>
          lines(
            row.list.map((cell) => readBlock(cell, depth + 1)),
            ' | ',
          ),
        ),
      );
    case 'mrkdwn':
      return mrkdwn(block.at('text').text);
    case 'plain_text':
    case 'raw_text':
      return md`${block.at('text').text}`;
    case 'video':
      return link(firstOf(block.at('title.text'), block.at('title_url')), block.at('title_url'));
    default:
      // Sections, and unknown block types: text, fields, accessory and elements, as far as present.
      return lines([
        block.at('text').exists ? textOf(block.at('text')) : undefined,
        ...block.at('fields').list.map(textOf),
        block.at('accessory').exists ? readBlock(block.at('accessory'), depth + 1) : undefined,
        ...inner('elements'),
      ]);
  }
}

/** Converts a text object, or a plain string. */
function textOf(text: Field): Markdown {
  if (text.text !== '') return mrkdwn(text.text);
  return text.at('type').text === 'plain_text' ? md`${text.at('text').text}` : mrkdwn(text.at('text').text);
}

function styled(element: Field): Markdown {
  const { text } = element.at('text');
  const has = (style: string) => element.at(`style.${style}`).isTrue;
  const body = text.trim();
  if (body === '') return new Markdown(text);
  const said = has('code') ? code(body) : escaped(body);
  const fences = [has('bold') && '**', has('italic') && '*', has('strike') && '~~'].filter((fence) => fence !== false);
  const whole = fences.reduce((inner, fence) => `${fence}${inner}${fence}`, said.toString());
  const [before = ''] = /^\s*/.exec(text) ?? [];
  const after = text.slice(text.trimEnd().length);
  return new Markdown(before + whole + after);
}

/** Escaped text, line by line. */
function escaped(text: string): Markdown {
  return lines(text.split('\n').map((line) => md`${line}`));
}

function picture(image: Field): Markdown {
  return link(
    firstOf(image.at('title.text'), image.at('alt_text'), 'image'),
    firstOf(image.at('image_url'), image.at('slack_file.url')),
  );
}

/** A field of an attachment: title and value, either of which may be missing. */
function shortField(field: Field): Markdown {
  const [title, value] = [field.at('title').text.trim(), mrkdwn(firstOf(field.at('value'), field.at('text')))];
  if (title === '') return value;
  return value.isEmpty ? bold(title) : md`${bold(title)}: ${value}`;
}

/** Converts an attachment. See protocol/bots#incoming-webhooks. */
function attachment(one: Field): Markdown {
  const title = one.at('title').text;
  const author = one.at('author_name').text;
  const shorts = one
    .at('fields')
    .list.map(shortField)
    .filter((field) => !field.isEmpty);
  const parts = [
    mrkdwn(one.at('pretext').text),
    author === '' ? undefined : link(author, one.at('author_link')),
    title === ''
      ? undefined
      : /^https?:/i.test(one.at('title_link').text)
        ? link(title, one.at('title_link'))
        : bold(title),
    mrkdwn(one.at('text').text),
    ...one.at('blocks').list.map((block) => readBlock(block, 0)),
    bullets(shorts),
    ...['image_url', 'thumb_url'].map((path) => (one.at(path).exists ? link('image', one.at(path)) : undefined)),
    lines(
      one
        .at('actions')
        .list.map((action) =>
          action.at('url').exists ? link(firstOf(action.at('text'), 'open'), action.at('url')) : undefined,
        ),
      ' · ',
    ),
    lines(
      [
        one.at('footer').text === '' ? undefined : md`${one.at('footer').text}`,
        one.at('ts').exists ? time(one.at('ts')) : undefined,
      ],
      ', ',
    ),
  ];
  const said = lines(parts);
  return said.isEmpty ? mrkdwn(one.at('fallback').text) : said;
}

function prefixed(prefix: string, text: Markdown): Markdown {
  return new Markdown(
    text
      .toString()
      .split('\n')
      .map((line) => prefix + line)
      .join('\n'),
  );
}

function fenced(text: string): Markdown {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return text === '' ? md`` : new Markdown(`${fence}\n${text}\n${fence}`);
}

/** Slack's entities for the characters that delimit its links. */
const ENTITIES: Readonly<Record<string, string>> = { '&lt;': '<', '&gt;': '>', '&amp;': '&' };
const plain = (text: string) =>
  text.includes('&') ? text.replaceAll(/&(?:lt|gt|amp);/g, (entity) => ENTITIES[entity] ?? entity) : text;

/** Converts Slack's markup to Markdown; everything else that Markdown would interpret is escaped. */
function mrkdwn(text: string): Markdown {
  if (text.trim() === '') return md``;
  // Odd parts are code blocks.
  const parts = text
    .trim()
    .replaceAll(/[\uE000-\uE002]/g, '')
    .split(/(```[^`]+(?:`{1,2}[^`]+)*```)/);
  const said = parts.map((part, index) => {
    if (index % 2 === 0) return withCode(part);
    return `\n${fenced(plain(part.slice(3, -3)).replace(/^\n|\n$/g, '')).toString()}\n`;
  });
  return new Markdown(said.join('').trim());
}

/**
 * Converts text with inline code. The code is replaced by a placeholder meanwhile, because it may be within bold text.
 */
function withCode(text: string): string {
  const codes: string[] = [];
  const waiting = text.replaceAll(/`([^`\n]+)`/g, (_, inside: string) => {
    codes.push(code(plain(inside)).toString());
    return '\uE002';
  });
  const marked = written(waiting).split('\uE002');
  return marked.map((part, index) => (index === 0 ? part : `${codes[index - 1] ?? ''}${part}`)).join('');
}

/**
 * Converts text without code: first links, because their addresses are not text, then bold, italic and strikethrough.
 */
function written(text: string): string {
  const parts = text.split(/(<[^<>\n]+>)/);
  const marked = parts
    .map((part, index) => (index % 2 === 1 ? linked(part.slice(1, -1)) : part && shown(part)))
    .join('');
  return marked
    .replaceAll(/(^|[\s(>])\uE000([^\uE000\s](?:[^\uE000\n]*[^\uE000\s])?)\uE000(?!\w)/gm, '$1**$2**')
    .replaceAll(/(^|[\s(*>])_([^_\s](?:[^_\n]*[^_\s])?)_(?=[\s).,!?:;*]|$)/gm, '$1*$2*')
    .replaceAll(/(^|[\s(*>])\uE001([^\uE001\s](?:[^\uE001\n]*[^\uE001\s])?)\uE001(?!\w)/gm, '$1~~$2~~')
    .replaceAll('\uE000', '&#42;')
    .replaceAll('\uE001', '&#126;')
    .replaceAll(/^#(?=#*\s)/gm, '&#35;');
}

/** Escapes text, with placeholders for asterisks and tildes, which are escaped later unless they pair. */
function shown(text: string): string {
  return plain(text)
    .replaceAll(/&(?=#?\w+;)/g, '&amp;')
    .replaceAll('](', ']&#40;')
    .replaceAll('$$', '&#36;&#36;')
    .replaceAll('`', '&#96;')
    .replaceAll('<', '&#60;')
    .replaceAll('*', '\uE000')
    .replaceAll('~', '\uE001')
    .replaceAll(/^[•◦▪] /gm, '* ');
}

/** Converts what is between angle brackets: a link, a date, or a mention, which becomes text. */
function linked(inside: string): string {
  const [target = '', words = ''] = inside.split('|', 2);
  if (/^https?:/i.test(target)) return link(plain(words), plain(target)).toString();
  if (target.startsWith('mailto:')) return md`${words || target.slice('mailto:'.length)}`.toString();
  const date = /^!date\^(\d+)\^/.exec(target)?.[1];
  if (date !== undefined) return words === '' ? time(new Field(date)).toString() : md`${plain(words)}`.toString();
  if (words !== '') return md`${target.startsWith('#') ? '#' : ''}${plain(words)}`.toString();
  return /^[@#!]/.test(target)
    ? md`${target.replace('!', '@').replace(/\^.*/, '')}`.toString()
    : md`${plain(`<${inside}>`)}`.toString();
}
