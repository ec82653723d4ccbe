import fc from 'fast-check';
import PostalMime, { decodeWords, type Email } from 'postal-mime';
import { expect, it } from 'vitest';
import { insideTransaction } from '#kernel/scope';
import type { Mail, Mailer } from './mail.ts';

/** A way for mails, and its far end. `received` waits for the next mail. */
export interface MailWay {
  readonly mailer: Mailer;
  received(): Promise<Uint8Array>;
}

const MAIL: Mail = { to: { address: 'max@roost.test' }, subject: 'Hello', text: 'Hello Max,\n\nwelcome.\n' };

/** Texts that would be more than text if they were taken as they are. */
const TRICKS = [
  'a\r\nBcc: evil@roost.test',
  'a\nBcc: evil@roost.test\n\nbody',
  'a\r\n\r\n<b>body</b>',
  'a\0b\u2028c\u0085d',
  '"Olive" <evil@roost.test>, x',
  'Olive\\" <evil@roost.test>,"',
  '=?utf-8?Q?a=0D=0ABcc:_evil@roost.test?=',
  '(comment) ; group: a, b;',
];

/** What every implementation of `Mailer` must do. Mails are from `Roost <noreply@roost.test>`. */
export function describeMail(way: () => MailWay): void {
  async function send(mail: Partial<Mail>): Promise<Email> {
    await way().mailer.sendMail({ ...MAIL, ...mail });
    return PostalMime.parse(await way().received());
  }

  it('brings a mail as it was written', async () => {
    const email = await send({
      to: { name: 'Max Müller', address: 'max@roost.test' },
      subject: 'Grüße, 日本 and a subject that is long enough to be folded into more than one line of a header',
      text: `.\n..two\nFrom here\n${'long '.repeat(400)}\n☃`,
      html: '<p>Grüße ☃</p>',
      headers: { 'List-Unsubscribe': '<https://roost.test/unsubscribe>', 'X-Tag': 'ü' },
    });
    expect(email.from).toEqual({ name: 'Roost', address: 'noreply@roost.test' });
    expect(email.to).toEqual([{ name: 'Max Müller', address: 'max@roost.test' }]);
    expect(email.subject).toBe(
      'Grüße, 日本 and a subject that is long enough to be folded into more than one line of a header',
    );
    expect(email.text?.trimEnd()).toBe(`.\n..two\nFrom here\n${'long '.repeat(400)}\n☃`);
    expect(email.html?.trimEnd()).toBe('<p>Grüße ☃</p>');
    expect(fieldsOf(email)).toMatchObject({ 'list-unsubscribe': '<https://roost.test/unsubscribe>', 'x-tag': 'ü' });
    expect(email.date).toBe('2026-11-21T09:00:00.000Z');
  });

  it('names a sender and a box for replies', async () => {
    const email = await send({
      fromName: 'Olive Owner',
      replyTo: { name: 'Olive', address: 'olive@roost.test' },
    });
    expect(email.from).toEqual({ name: 'Olive Owner', address: 'noreply@roost.test' });
    expect(email.replyTo).toEqual([{ name: 'Olive', address: 'olive@roost.test' }]);
  });

  it('takes an address of any script', async () => {
    const email = await send({ to: { address: 'грета@пример.test' } });
    expect(email.to).toHaveLength(1);
  });

  it.each(TRICKS)('takes %j for text wherever people may write (security#asvs, item 1.3.11)', async (trick) => {
    const plain = fieldsOf(await send({ replyTo: { address: 'olive@roost.test' }, headers: { 'X-Tag': 'a' } }));
    const email = await send({
      to: { name: trick, address: 'max@roost.test' },
      fromName: trick,
      replyTo: { name: trick, address: 'olive@roost.test' },
      subject: trick,
      headers: { 'X-Tag': trick },
    });
    expect(Object.keys(fieldsOf(email)).toSorted()).toEqual(Object.keys(plain).toSorted());
    expect(email.to?.map(({ address }) => address)).toEqual(['max@roost.test']);
    expect(email.from?.address).toBe('noreply@roost.test');
    expect(email.replyTo?.map(({ address }) => address)).toEqual(['olive@roost.test']);
    expect(email.text?.trimEnd()).toBe(MAIL.text.trimEnd());
    expect(email.bcc).toBeUndefined();
  });

  it('leaves what turns the order of characters around out of names and subjects', async () => {
    const name = 'Ol\u202eive\u2066 ש\u200fרה';
    const email = await send({ to: { name, address: 'max@roost.test' }, fromName: name, subject: `${name} writes` });
    const shown = 'Olive ש\u200fרה';
    expect([email.to?.[0]?.name, email.from?.name, email.subject]).toEqual([shown, shown, `${shown} writes`]);
  });

  it('brings any subject and name whole, as one line', async () => {
    const texts = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(texts, texts, async (subject, name) => {
        const email = await send({ subject: `s${subject}s`, to: { name: `n${name}n`, address: 'max@roost.test' } });
        expect(squeezed(email.subject)).toBe(squeezed(`s${subject}s`));
        expect(email.to).toHaveLength(1);
        expect(email.to?.[0]?.address).toBe('max@roost.test');
      }),
      { numRuns: 60 },
    );
  });

  it.each([
    '=?utf-8?q?=0d=0aBcc:_olive=40roost.test?=',
    '#birds > =?utf-8?b?TmV3?= [Rookery]',
    `Grüße 日本 🦉 =?iso-8859-1?q?=e9?= ${'and more '.repeat(9)}end`,
  ])('brings a subject that looks as if it were encoded as it was written: %j', async (subject) => {
    expect((await send({ subject })).subject).toBe(subject);
  });

  it.each([
    '',
    'max',
    'max@',
    '@roost.test',
    'a@b@roost.test',
    'max@roost.test, evil@roost.test',
    'max@roost.test\r\nRCPT TO:<evil@roost.test>',
    'max @roost.test',
    '<max@roost.test>',
    'Max <max@roost.test>',
    '"max, evil"@roost.test',
    'max@roost.test(comment)',
    'group:max@roost.test;',
    `${'x'.repeat(250)}@roost.test`,
  ])('sends nothing to %j', async (address) => {
    const fault = { name: 'MailFault', isPermanent: true };
    await expect(way().mailer.sendMail({ ...MAIL, to: { address } })).rejects.toMatchObject(fault);
    await expect(way().mailer.sendMail({ ...MAIL, replyTo: { address } })).rejects.toMatchObject(fault);
    expect((await send({})).subject).toBe('Hello');
  });

  it.each(['Bcc', 'To', 'Content-Type', 'X Tag', 'X:', '', 'X-Tag\r\nBcc'])('takes no field %j', async (name) => {
    const fault = { name: 'MailFault', isPermanent: true };
    await expect(way().mailer.sendMail({ ...MAIL, headers: { [name]: 'x' } })).rejects.toMatchObject(fault);
  });

  it('opens no file and no URL, whatever a mail says', async () => {
    const email = await send({ text: 'file:///etc/passwd', html: '<img src="file:///etc/passwd">' });
    expect(email.attachments).toEqual([]);
    expect(email.html).toContain('file:///etc/passwd');
  });

  it('stays out of transactions, and is well', async () => {
    await insideTransaction(async () => {
      await expect(way().mailer.sendMail(MAIL)).rejects.toThrow('mail must not run inside a transaction');
    });
    await way().mailer.checkHealth();
  });
}

function fieldsOf(email: Email): Record<string, string> {
  return Object.fromEntries(email.headers.map(({ key, value }) => [key, decodeWords(value)]));
}

/** Folding may change white space, nothing else; characters that change the order of others are left out. */
function squeezed(text = ''): string {
  return text.replaceAll(/[\s\p{Cc}\u202a-\u202e\u2066-\u2069]+/gu, '');
}
