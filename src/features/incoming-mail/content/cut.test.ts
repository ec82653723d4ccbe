import { describe, expect, it } from 'vitest';
import { least, processorMs } from '../../../../test/support/processor.ts';
import { topicOf } from '../text.ts';
import { withoutFooter, withoutQuotes } from './cut.ts';
import { textOfHtml } from './from-html.ts';

/** Answers as mail programs write them; all say "Yes, at ten.", some on two lines. */
const ANSWERS: Readonly<Record<string, string>> = {
  gmail: 'Yes, at ten.\n\nOn Mon, 23 Nov 2026 at 10:00, Max Member <max@roost.test> wrote:\n> Tomorrow?\n>\n> Max\n',
  'gmail, broken lines':
    'Yes, at ten.\n\nOn Mon, 23 Nov 2026 at 10:00, Max Member\n<max@roost.test> wrote:\n\n> Tomorrow?\n',
  german: 'Yes, at ten.\n\nAm 23.11.26 um 10:00 schrieb Max Member:\n> Morgen?\n',
  french: 'Yes, at ten.\n\nLe lun. 23 nov. 2026 à 10:00, Max Member <max@roost.test> a écrit :\n\n> Demain ?\n',
  japanese: 'Yes, at ten.\n\n2026年11月23日(月) 10:00 Max Member <max@roost.test>:\n> 明日?\n',
  outlook:
    'Yes, at ten.\n\n________________________________\nFrom: Max Member <max@roost.test>\nSent: Monday, 23 November 2026 10:00\nTo: Mia Member\nSubject: Tomorrow\n\nTomorrow?\n',
  'outlook, german':
    'Yes, at ten.\n\nVon: Max Member <max@roost.test>\nGesendet: Montag, 23. November 2026 10:00\nAn: Mia Member\nBetreff: Morgen\n\nMorgen?\n',
  'original message': 'Yes, at ten.\n\n-----Original Message-----\nFrom: Max Member\nTo: Mia\n\nTomorrow?\n',
  'answer below': 'On 23.11.2026 10:00, Max Member wrote:\n> Tomorrow?\n\nYes, at ten.\n',
  'no words': 'Yes, at ten.\n\n> Tomorrow?\n',
};

describe('what was answered', () => {
  it.each(Object.entries(ANSWERS))('is cut from what %s writes', (_program, text) => {
    expect(withoutQuotes(text)).toBe('Yes, at ten.');
  });

  it('stays between the lines that speak of it', () => {
    const text = 'Hello,\n\n> At ten?\n\nYes.\n\n> Where?\n\nHere.';
    expect(withoutQuotes(text)).toBe(text);
  });

  it.each([
    'I said:\nnothing',
    'The steps are:\n\n- one\n- two',
    'From: here to there\nit is far',
    '---- cut here ----\nand go on',
    'Meeting 10:30:\nroom 3',
  ])('is not found where nothing was: %j', (text) => {
    expect(withoutQuotes(text)).toBe(text);
  });

  it('goes with a signature', () => {
    expect(withoutFooter('Yes.\n\n-- \nMia Member\nRoost Ltd')).toBe('Yes.');
    expect(withoutFooter('Yes.\n\nSent from my iPhone')).toBe('Yes.');
    expect(withoutFooter('Yes.\n\nSent from my iPhone was this once, I know')).toBe(
      'Yes.\n\nSent from my iPhone was this once, I know',
    );
  });

  it('takes no longer with a text made to hurt', () => {
    const began = performance.now();
    for (const text of [
      'On '.repeat(60_000),
      '> '.repeat(90_000),
      `${'a\n'.repeat(90_000)}b:`,
      '-'.repeat(200_000),
      `From: ${'\n'.repeat(150_000)}`,
      // What fails at its end, after all that could have been a rule.
      `${'-'.repeat(150_000)}x`,
      `-- ${'- x '.repeat(40_000)}`,
      `${'> '.repeat(70_000)}x`,
      `${' '.repeat(150_000)}x`,
      `Sent from ${'x '.repeat(70_000)}.`,
      `a${':'.repeat(100_000)}${' '.repeat(50_000)}x`,
    ]) {
      withoutFooter(withoutQuotes(text));
    }
    expect(performance.now() - began).toBeLessThan(2_000);
  });
});

describe('the topic of a mail', () => {
  it.each([
    ['Re: Fwd: [1] boats', '[1] boats'],
    ['RE[2] : boats', 'boats'],
    ['回复： boats', 'boats'],
    ['Reboats', 'Reboats'],
  ])('is what %s is about', (subject, topic) => {
    expect(topicOf(subject)).toBe(topic);
  });

  it('takes no longer for a subject made to hurt', () => {
    const began = performance.now();
    for (const subject of [`Re${' '.repeat(250_000)}x`, 'Re '.repeat(80_000), `${'Re: '.repeat(60_000)}[1`])
      topicOf(subject);
    expect(performance.now() - began).toBeLessThan(500);
  });
});

const OWN = { keepsQuotes: false, keepsFooter: false };

describe('HTML of a mail', async () => {
  it('becomes text with our marks', async () => {
    const html =
      '<html><head><style>p{}</style><title>x</title></head><body><p>Hello <b>Max</b>,</p><p>see <a href="https://roost.test/a?b=1&amp;c=2">the plan</a> or <a href="https://roost.test">https://roost.test</a>:</p><ul><li>one</li><li><i>two</i></li></ul><pre>a  b\n c</pre><div>bye<br>Mia</div><img src="x" alt="logo"></body></html>';
    expect(await textOfHtml(html, OWN)).toBe(
      'Hello **Max**,\n\nsee [the plan](https://roost.test/a?b=1&c=2) or https://roost.test:\n\n* one\n* *two*\n\n```\na  b\n c\n```\n\nbye\nMia\nlogo',
    );
  });

  it.each([
    '<div>Yes.</div><div class="gmail_quote"><div>On Monday Max wrote:</div><blockquote>Tomorrow?</blockquote></div>',
    '<div>Yes.</div><blockquote type="cite"><div>Tomorrow?</div></blockquote>',
    '<div>Yes.</div><div id="appendonsend"></div><hr><div><b>From:</b> Max</div><div>Tomorrow?</div>',
    '<p>Yes.</p><div class="moz-cite-prefix">On 1.1.2026 Max wrote:<br></div><blockquote type="cite">Tomorrow?</blockquote>',
    '<p>Yes.</p><div class="gmail_signature">Mia</div>',
    '<p>Yes.</p><span style="display: none">Tomorrow?</span><script>Tomorrow?</script>',
  ])('is cut where programs mark what was answered: %s', async (html) => {
    expect(await textOfHtml(html, OWN)).toBe('Yes.');
  });

  it('keeps quotations where it should', async () => {
    const html = '<p>Yes.</p><blockquote type="cite">Tomorrow?<br>Or later?</blockquote><p>No.</p>';
    expect(await textOfHtml(html, { ...OWN, keepsQuotes: true })).toBe('Yes.\n\n> Tomorrow?\n> Or later?\n\nNo.');
  });

  it('links nowhere that is not the web, and ends whatever it is given', async () => {
    expect(await textOfHtml('<constructor>w</constructor>', OWN)).toBe('w');
    expect(await textOfHtml('<a href="javascript:alert(1)">x</a> <a href="data:text/html,x">y</a>', OWN)).toBe('x y');
    for (const html of [
      '<div>'.repeat(100_000),
      '<blockquote>'.repeat(50_000) + 'x',
      '<a href="https://x">'.repeat(20_000),
      '<b>'.repeat(100_000) + 'x',
      '<li>x'.repeat(50_000),
    ]) {
      const read = () => processorMs(() => textOfHtml(html, OWN));
      expect(await least(2_000, read)).toBeLessThan(2_000);
    }
  });

  it('is read in slices, between which others get their turn', async () => {
    let turns = 0;
    const count = () => void (turns++ < 1_000 && setImmediate(count));
    setImmediate(count);
    const text = await textOfHtml(`<p>${'word and '.repeat(16_000)}</p>`, OWN);
    expect(turns).toBeGreaterThanOrEqual(30);
    expect(text).toBe('word and '.repeat(16_000).trim());
  });
});
