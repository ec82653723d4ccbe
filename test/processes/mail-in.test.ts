import { createTransport } from 'nodemailer';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databasesInTurn, makeDatabase, type TestDatabase } from '../support/databases.ts';
import { call, demoAccount, freePort, refusedCommand, type ServerProcess, startProcess } from '../support/process.ts';

const MAILS = 60;

describe.each(databasesInTurn(import.meta.url))('a server that takes mails on %s', (name) => {
  let database: TestDatabase;
  let server: ServerProcess;
  let environment: Record<string, string>;
  let port: number;
  const start = async () => {
    server = await startProcess(database, await freePort(), environment);
  };
  beforeAll(async () => {
    database = await makeDatabase(name);
    port = await freePort();
    const url = `lmtp://127.0.0.1:${port}`;
    environment = { ROOST_MAIL_IN_URL: url, ROOST_MAIL_IN_ADDRESS: '*@in.roost.test' };
    await start();
  });
  afterAll(async () => {
    await server.kill('SIGTERM');
    await database.remove();
  });

  it('has stored each mail once that it answered, killed wherever it stood', async () => {
    const max = await demoAccount(server, 'member@roost.test');
    const { stream_id } = await call(server, max, 'GET', '/get_stream_id', { stream: 'general' });
    const { email: to } = await call(server, max, 'GET', `/streams/${stream_id}/email_address`);
    const taken = new Set<number>();
    const transport = () => createTransport({ host: '127.0.0.1', port, lmtp: true, ignoreTLS: true, pool: true });
    const send = async (by: ReturnType<typeof transport>, number: number) => {
      const mail = { from: 'a@b.test', to, messageId: `<${number}@b.test>`, subject: 'many', text: `mail ${number}` };
      const attachments = [{ filename: 'a.txt', content: `file ${number}` }];
      await by.sendMail({ ...mail, attachments }).then(
        () => taken.add(number),
        () => undefined,
      );
    };
    const first = transport();
    const sending = Promise.all(Array.from({ length: MAILS }, (_, number) => send(first, number)));
    await expect.poll(() => taken.size, { interval: 2 }).toBeGreaterThan(5);
    await server.kill('SIGKILL');
    await sending;
    first.close();
    expect(taken.size).toBeLessThan(MAILS);
    const answered = [...taken];
    await start();
    const messages = async () => {
      const narrow = [{ operator: 'topic', operand: 'many' }];
      const page = { anchor: 'newest', num_before: 200, num_after: 0, apply_markdown: false, narrow };
      const { messages: all } = await call(server, max, 'GET', '/messages', page);
      return all.map(({ content }: { content: string }) => Number(/^mail (\d+)/.exec(content)?.[1]));
    };
    expect(await messages()).toEqual(expect.arrayContaining(answered));
    // What a mail server does with mails of which it heard nothing; some had been stored.
    const second = transport();
    for (let number = 0; number < MAILS; number++) await send(second, number);
    second.close();
    expect((await messages()).toSorted((a: number, b: number) => a - b)).toEqual([...Array(MAILS).keys()]);
  });

  it('goes on for everybody while a stranger sends mails that are made to hurt', async () => {
    const max = await demoAccount(server, 'member@roost.test');
    await call(server, max, 'POST', '/users/me/subscriptions', { subscriptions: [{ name: 'hurt' }] });
    const { stream_id } = await call(server, max, 'GET', '/get_stream_id', { stream: 'hurt' });
    const { email: to } = await call(server, max, 'GET', `/streams/${stream_id}/email_address`);
    const head = (subject: string, type = 'text/plain') =>
      `From: a@b.test\r\nTo: ${to}\r\nSubject: ${subject}\r\nMessage-ID: <${subject.length}${type}@b.test>\r\nContent-Type: ${type}; charset=utf-8\r\n\r\n`;
    const mails = [
      // Once, the first took twelve minutes of everybody's time, and the second half a minute.
      `${head('rules')}said before\r\n${'-'.repeat(140_000)}x\r\n`,
      `${head(`Re${' '.repeat(200_000)}spaces`)}said before\r\n`,
      `${head('items', 'text/html')}<p>said before</p>${'<li>x'.repeat(28_000)}\r\n`,
    ];
    const transport = createTransport({ host: '127.0.0.1', port, lmtp: true, ignoreTLS: true });
    const began = performance.now();
    const sent = Promise.all(mails.map((raw) => transport.sendMail({ envelope: { from: 'a@b.test', to }, raw })));
    let isOver = false;
    let longest = 0;
    const asking = (async () => {
      while (!isOver) {
        const asked = performance.now();
        await call(server, max, 'GET', '/users/me');
        longest = Math.max(longest, performance.now() - asked);
      }
    })();
    await sent.finally(() => (isOver = true));
    await asking;
    expect(longest).toBeLessThan(5_000);
    expect(performance.now() - began).toBeLessThan(60_000);
    const narrow = [{ operator: 'channel', operand: stream_id }];
    const page = { anchor: 'newest', num_before: 20, num_after: 0, apply_markdown: false, narrow };
    const { messages } = await call(server, max, 'GET', '/messages', page);
    expect(messages.filter(({ content }: { content: string }) => content.startsWith('said before'))).toHaveLength(3);
  });

  it('says which variable is wrong when its place is taken', async () => {
    const other = { dataDir: `${database.dataDir}/other`, databaseUrl: undefined };
    const refused = await refusedCommand(other, ['serve'], { environment: { ...environment, ROOST_PORT: '0' } });
    expect(refused).toEqual({
      code: 1,
      said: expect.stringMatching(/^ROOST_MAIL_IN_URL: \d+ is in use on 127\.0\.0\.1.*\n$/m),
    });
  });
});
