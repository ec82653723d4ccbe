import { describe, expect, it } from 'vitest';
import { readMail } from './read.ts';

const HEAD =
  'From: Ann <ann@far.test>\r\nSubject: hello\r\nMessage-ID: <1@far.test>\r\nContent-Type: text/plain\r\n\r\n';
const mailOf = (text: string) => Buffer.from(HEAD + text);

describe('a mail that comes in', () => {
  it('is read beside the event loop, on which others are served (protocol/mail#receiving)', async () => {
    await readMail(mailOf('warm'));
    const [loop, processor] = [performance.eventLoopUtilization(), process.cpuUsage()];
    const { text = '', subject, id } = await readMail(mailOf('a\r\n'.repeat(100_000)));
    const { user, system } = process.cpuUsage(processor);
    expect({ subject, id }).toEqual({ subject: 'hello', id: '1@far.test' });
    expect(text).toHaveLength(150_000);
    expect(performance.eventLoopUtilization(loop).active).toBeLessThan((user + system) / 1000 / 3);
  });

  it('has bounds: lines, parts, headers (protocol/mail#receiving)', async () => {
    await expect(readMail(mailOf('a\r\n'.repeat(400_001)))).rejects.toThrow('the mail has too many lines');
    await expect(readMail(mailOf('--a\r\n'.repeat(2001)))).rejects.toThrow('the mail has too many parts');
    const headers = Buffer.from(`${'X-Long: x\r\n'.repeat(30_000)}\r\nhello`);
    await expect(readMail(headers)).rejects.toThrow('the mail can not be read');
  });
});
