import { once } from 'node:events';
import { connect } from 'node:net';
import { type Attack, type Scene, times } from './attack.ts';

const MIB = 2 ** 20;
const HEAD = 'From: Owner <owner@bench.test>\r\nMIME-Version: 1.0\r\n';
let address = '';

/** Delivers a mail as a mail server does; returns the answer. */
async function handOver({ mailPort, owner }: Scene, mail: Buffer): Promise<string> {
  const socket = connect(mailPort, '127.0.0.1').setEncoding('latin1');
  const said = async (text?: string | Buffer) => {
    const answer = once(socket, 'data');
    if (text !== undefined) socket.write(text);
    return String((await answer)[0]);
  };
  try {
    await said();
    await said('EHLO bench.test\r\n');
    await said(`MAIL FROM:<${owner.email}>\r\n`);
    await said(`RCPT TO:<${address}>\r\n`);
    await said('DATA\r\n');
    return await said(mail);
  } finally {
    socket.destroy();
  }
}

let sent = 0;

/** Makes an attack of a mail with one text. */
function mail(
  name: string,
  make: () => { readonly type?: string; readonly body: string; readonly head?: string },
): Attack {
  return {
    name: `mail: ${name}`,
    send: (scene) => {
      const { type = 'text/plain; charset=utf-8', body, head = 'Subject: hello\r\n' } = make();
      const id = `Message-ID: <${++sent}@bench.test>\r\n`;
      // No line begins with a dot, so none needs to be escaped.
      const text = Buffer.from(`${HEAD}${head}${id}Content-Type: ${type}\r\n\r\n${body}\r\n.\r\n`);
      return () => handOver(scene, text);
    },
  };
}

const part = (line: string, text: string, type = 'text/plain') =>
  `--${line}\r\nContent-Type: ${type}\r\n\r\n${text}\r\n`;
const mixed = 'multipart/mixed; boundary=a';
const nested = (depth: number): string =>
  times(depth, (n) => `--b${n}\r\nContent-Type: multipart/mixed; boundary=b${n + 1}\r\n\r\n`).join('');

/** Costly incoming mails, delivered by the operator's mail server. */
export const MAILS: readonly Attack[] = [
  {
    ...mail('words', () => ({ body: 'Hello there' })),
    before: async ({ ask }) => {
      const { stream_id } = await ask('GET', '/get_stream_id', { stream: 'channel 0' });
      address = String((await ask('GET', `/streams/${Number(stream_id)}/email_address`, {}))['email']);
    },
  },
  mail('10 MiB of 100,000 lines of dashes', () => ({ body: `${'-'.repeat(103)}\r\n`.repeat(100_000) })),
  mail('250,000 blank lines', () => ({ body: '\r\n'.repeat(250_000) })),
  mail('150,000 lines that are quoted', () => ({ body: '> > a\r\n'.repeat(150_000) })),
  mail('10 MiB of one line', () => ({ body: 'ab '.repeat((10 * MIB) / 3) })),
  mail('10,000 MIME parts', () => ({ type: mixed, body: times(10_000, () => part('a', 'x')).join('') })),
  mail('1,900 MIME parts', () => ({ type: mixed, body: times(1_900, () => part('a', 'x')).join('') })),
  mail('1,900 files', () => ({
    type: mixed,
    body: times(1_900, (n) => part('a', 'x', `application/x-y; name=${n}.bin`)).join(''),
  })),
  mail('1,000 parts within one another', () => ({ type: 'multipart/mixed; boundary=b0', body: nested(1_000) })),
  mail('150,000 elements of HTML', () => ({ type: 'text/html', body: '<b>'.repeat(150_000) })),
  mail('HTML of tables and links', () => ({
    type: 'text/html',
    body: '<table><tr><td><a href="https://x.test/?a=1">b</a>\r\n'.repeat(3_000),
  })),
  mail('HTML of blanks', () => ({ type: 'text/html', body: '&nbsp; \r\n<br>'.repeat(15_000) })),
  mail('10 MiB of HTML that does not end', () => ({
    type: 'text/html',
    body: '<a href="\r\n'.repeat(1_000_000).slice(0, 4 * MIB),
  })),
  mail('a subject of 200 KB of encoded words', () => ({
    head: `Subject: ${'=?utf-8?q?=C3=A9?=\r\n '.repeat(10_000)}\r\n`,
    body: 'x',
  })),
  mail('10,000 addresses', () => ({
    head: `Subject: a\r\nTo: ${'<a@b.test>,\r\n '.repeat(10_000)}<c@b.test>\r\n`,
    body: 'x',
  })),
  mail('24 MiB in Base64', () => ({
    type: `${mixed}\r\nContent-Transfer-Encoding: 7bit`,
    body: `--a\r\nContent-Type: application/pdf; name=a.pdf\r\nContent-Transfer-Encoding: base64\r\n\r\n${`${'QUJD'.repeat(19)}\r\n`.repeat(
      (23 * MIB) / 78,
    )}--a--\r\n`,
  })),
];
