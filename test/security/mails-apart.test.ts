import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databasesInTurn } from '../support/databases.ts';
import { ForgetfulMailServer } from '../support/mail-server.ts';
import { call } from '../support/process.ts';
import { type Production, startProduction } from '../support/production.ts';

describe.each(databasesInTurn(import.meta.url))('mails to many that a mail server takes slowly, on %s', (name) => {
  let mailServer: ForgetfulMailServer;
  let production: Production;
  beforeAll(async () => {
    mailServer = await ForgetfulMailServer.open(0, /@many\.test/);
    const environment = { ROOST_SMTP_URL: mailServer.url, ROOST_RATE_LIMITS: 'off' };
    production = await startProduction(name, environment);
  });
  afterAll(async () => {
    await production.stop();
    await mailServer.close();
  });

  const invite = (addresses: readonly string[]) =>
    call(production.server, production.owner, 'POST', '/invites', {
      invitee_emails: addresses.join(','),
      stream_ids: [],
    });

  it('leave a connection and workers to single mails, also of the same organization', async () => {
    await invite(Array.from({ length: 90 }, (_, index) => `n${index}@many.test`));
    await expect.poll(() => mailServer.about(/@many\.test/), { timeout: 5_000 }).toHaveLength(2);
    await invite(['nora@roost.test']);
    await expect.poll(() => mailServer.about(/nora@roost\.test/), { timeout: 5_000 }).toHaveLength(1);
    expect(mailServer.about(/@many\.test/)).toHaveLength(2);
  });
});
