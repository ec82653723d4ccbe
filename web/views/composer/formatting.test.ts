import { describe, expect, it } from 'vitest';
import type { Tool } from '../../compose/index.ts';
import { formatted, inserted } from './formatting.ts';

/** A text with `[` and `]` around what is selected, or `|` at the caret. */
function marked(shown: string) {
  if (shown.includes('|')) return { text: shown.replace('|', ''), from: shown.indexOf('|'), to: shown.indexOf('|') };
  return { text: shown.replace('«', '').replace('»', ''), from: shown.indexOf('«'), to: shown.indexOf('»') - 1 };
}
const show = ({ text, from, to }: ReturnType<typeof marked>) =>
  from === to
    ? `${text.slice(0, from)}|${text.slice(from)}`
    : `${text.slice(0, from)}«${text.slice(from, to)}»${text.slice(to)}`;

describe('the tools of the composer', () => {
  it.each<[Tool, string, string]>([
    ['bold', 'a «word»', 'a **«word»**'],
    ['bold', 'a **«word»**', 'a «word»'],
    ['italic', '**«word»**', '***«word»***'],
    ['italic', '*«word»*', '«word»'],
    ['strike', '|', '~~|~~'],
    ['link', 'see «this»', 'see [this](«url»)'],
    ['link', '«https://roost.example/a»', '[|](https://roost.example/a)'],
    ['list', 'one\n«two\nthree»', 'one\n«- two\n- three»'],
    ['list', '«- two\n- three»', '«two\nthree»'],
    ['code', 'run «it»', 'run `«it»`'],
    ['code', '«a\nb»', '```\n«a\nb»\n```'],
    ['quote', 'so:«he said»', 'so:\n```quote\n«he said»\n```'],
    ['quote', '«a ```` fence»', '`````quote\n«a ```` fence»\n`````'],
    ['poll', '|', '/poll |'],
  ])('%s makes of %j %j', (tool, before, after) => {
    const made = formatted(tool, marked(before));
    expect(made && show(made)).toBe(after);
  });

  it('put text where the caret is, in place of what is selected', () => {
    expect(show(inserted(marked('a «b» c'), ':bird: '))).toBe('a :bird: | c');
  });

  it('leave what is written alone where a poll would need an empty message', () => {
    expect(formatted('poll', marked('words|'))).toBeUndefined();
  });
});
