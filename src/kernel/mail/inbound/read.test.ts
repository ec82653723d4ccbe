import { describe, expect, it } from 'vitest';
import { pause } from '../../../../test/support/pause.ts';
import { threadMs } from '../../../../test/support/processor.ts';
import { readMail } from './read.ts';

const HEAD =
  'From: Ann <ann@far.test>\r\nSubject: hello\r\nMessage-ID: <1@far.test>\r\nContent-Type: text/plain\r\n\r\n';
const FILE_HEAD =
  'From: Ann <ann@far.test>\r\nMessage-ID: <1@far.test>\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: application/pdf; name=a.pdf\r\nContent-Transfer-Encoding: base64\r\n\r\n';
const mailOf = (text: string) => Buffer.from(HEAD + text);

describe('a mail that comes in', () => {
  it('is read beside the event loop, on which others are served (protocol/mail#receiving)', async () => {
    await readMail(mailOf('warm'));
    const [loop, thread, processor] = [performance.eventLoopUtilization(), threadMs(), process.cpuUsage()];
    const { text = '', subject, id } = await readMail(mailOf('a\r\n'.repeat(100_000)));
    const { user, system } = process.cpuUsage(processor);
    expect({ subject, id }).toEqual({ subject: 'hello', id: '1@far.test' });
    expect(text).toHaveLength(150_000);
    // On a busy machine the loop also seems active while other processes have its processor.
    const active = Math.min(performance.eventLoopUtilization(loop).active, threadMs() - thread);
    expect(active).toBeLessThan((user + system) / 1000 / 3);
  });

  it.each([
    ['the largest file', () => FILE_HEAD + `${'A'.repeat(76)}\r\n`.repeat(335_000) + '\r\n--b--\r\n', 'read'],
    ['many lines', () => HEAD + 'x\r\n'.repeat(399_000) + 'y'.repeat(24 * 2 ** 20), 'refused'],
    ['one line', () => HEAD + 'x'.repeat(25 * 2 ** 20), 'read'],
  ])('takes a bounded part of the memory: %s', async (_what, write, end) => {
    const mail = Buffer.from(write());
    await readMail(mailOf('warm'));
    const before = process.memoryUsage.rss();
    let [highest, isOver] = [before, false];
    const reading = readMail(mail)
      .then(
        () => 'read',
        () => 'refused',
      )
      .finally(() => (isOver = true));
    while (!isOver) {
      await pause(5);
      highest = Math.max(highest, process.memoryUsage.rss());
    }
    expect(await reading).toBe(end);
    // It was 579 MiB.
    expect((highest - before) / 2 ** 20).toBeLessThan(200);
  });

  it('has bounds: lines, parts, headers (protocol/mail#receiving)', async () => {
    await expect(readMail(mailOf('a\r\n'.repeat(400_001)))).rejects.toThrow('the mail has too many lines');
    await expect(readMail(mailOf('--a\r\n'.repeat(2001)))).rejects.toThrow('the mail has too many parts');
    const headers = Buffer.from(`${'X-Long: x\r\n'.repeat(30_000)}\r\nhello`);
    await expect(readMail(headers)).rejects.toThrow('the mail cannot be read');
  });
});
