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
    await expect.poll(() => taken.size, { interval: 2, timeout: 20_000 }).toBeGreaterThan(5);
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

  it('says which variable is wrong when its place is taken', async () => {
    const other = { dataDir: `${database.dataDir}/other`, databaseUrl: undefined };
    const refused = await refusedCommand(other, ['serve'], { environment: { ...environment, ROOST_PORT: '0' } });
    expect(refused).toEqual({
      code: 1,
      said: expect.stringMatching(/^ROOST_MAIL_IN_URL: \d+ is in use on 127\.0\.0\.1.*\n$/m),
    });
  });
});
