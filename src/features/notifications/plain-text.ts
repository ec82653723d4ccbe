/**
 * A tag of rendered content, or the text between two tags. In attribute values angle brackets are written as entities.
 */
const PARTS = /<(\/?)([a-z][a-z0-9]*)([^<>]*)>|([^<]+)/gi;
const VOID = new Set(['br', 'hr', 'img', 'input', 'source', 'wbr']);
/** Elements after which a new line begins. */
const BLOCKS = new Set(['blockquote', 'br', 'div', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'hr', 'li', 'p', 'pre', 'tr']);
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", nbsp: ' ' };

/** The replacement for an element that is not shown as it is; undefined for all others. */
function standIn(name: string, attributes: string): string | undefined {
  if (name === 'blockquote') return '[…]\n';
  if (/class="[^"]*\bspoiler-content\b/.test(attributes)) return '(…)\n';
  if (/class="[^"]*\bkatex-html\b/.test(attributes)) return '';
  const code = name === 'span' ? /class="emoji emoji-([0-9a-f-]+)"/.exec(attributes)?.[1] : undefined;
  return code?.split('-').map(toCharacter).join('');
}

/** Converts rendered content to plain text: quotes are left out, and spoilers stay hidden. */
export function toPlainText(rendered: string): string {
  let text = '';
  // Number of open elements within an element that was replaced.
  let skipped = 0;
  for (const [, closing = '', tag = '', attributes = '', words] of rendered.matchAll(PARTS)) {
    const name = tag.toLowerCase();
    const opens = closing === '' && words === undefined && !VOID.has(name);
    if (skipped > 0) {
      if (words === undefined) skipped += opens ? 1 : closing === '' ? 0 : -1;
      continue;
    }
    if (words !== undefined) text += unescaped(words);
    else if (closing !== '' || VOID.has(name)) text += BLOCKS.has(name) ? '\n' : (altOf(name, attributes) ?? '');
    else {
      const instead = standIn(name, attributes);
      if (instead !== undefined) skipped = 1;
      text += instead ?? '';
    }
  }
  return text.replaceAll(/\n{2,}/g, '\n').trim();
}

function altOf(name: string, attributes: string): string | undefined {
  const alt = name === 'img' ? /\balt="([^"]*)"/.exec(attributes)?.[1] : undefined;
  return alt === undefined ? undefined : unescaped(alt);
}

function unescaped(text: string): string {
  return text.replaceAll(/&(amp|lt|gt|quot|#39|nbsp);/g, (_whole, name: string) => ENTITIES[name] ?? '');
}

function toCharacter(hex: string): string {
  const code = Number.parseInt(hex, 16);
  return code <= 0x10_ff_ff ? String.fromCodePoint(code) : '';
}
