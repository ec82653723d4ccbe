import { describe, expect, it } from 'vitest';
import { ConfigError, readConfig } from './index.ts';

function mistakesOf(environment: Record<string, string>, checks = {}): readonly string[] {
  try {
    readConfig(environment, {}, checks);
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.mistakes;
  }
}

describe('the configuration', () => {
  it('names all mistakes at once, each with the variable, the value and what would be right', () => {
    const mistakes = mistakesOf({
      ROOST_PORT: '99999',
      ROOST_EXTERNAL_URL: 'chat.example.org',
      ROOST_MODE: 'prod',
      ROOST_MAX_UPLOAD_MIB: '10 MB',
      ROOST_OUTBOUND_NETWORKS: '10.1.0.0/33',
    });
    expect(mistakes).toEqual([
      'ROOST_PORT: "99999" is not a port (0 to 65535)',
      'ROOST_EXTERNAL_URL: "chat.example.org" is not an address starting with http:// or https://',
      'ROOST_MAX_UPLOAD_MIB: "10 MB" is not a number (0 to 9999999)',
      'ROOST_MODE: "prod" is not one of production, development',
      'ROOST_OUTBOUND_NETWORKS: "10.1.0.0/33" is not a list of networks like 10.1.0.0/16',
    ]);
  });

  it('says of a name that does not exist which one was meant, where one is near', () => {
    expect(mistakesOf({ ROOST_PROT: '1', ROOST_EXTERNALURL: 'x', ROOST_COLOUR: 'red', ROOST_TEST_SEED: '1' })).toEqual([
      'ROOST_PROT is not a variable of Roost; ROOST_PORT is',
      'ROOST_EXTERNALURL is not a variable of Roost; ROOST_EXTERNAL_URL is',
      'ROOST_COLOUR is not a variable of Roost',
    ]);
  });

  it.each(['https://chat.example.org', 'https://chat.example.org/', 'http://10.0.0.1:9991', 'http://[::1]:9991'])(
    'takes %s for the address of the server',
    (url) => {
      expect(readConfig({ ROOST_EXTERNAL_URL: url }).externalUrl).toBe(url.replace(/\/$/, ''));
    },
  );

  it.each(['https://chat.example.org/roost', 'https://chat.example.org/?x', 'https://me:hush@chat.example.org'])(
    'takes only host and port for the address of the server, not %s',
    (url) => {
      const [mistake] = mistakesOf({ ROOST_EXTERNAL_URL: url });
      expect(mistake).toMatch(/has more than a host and a port; https:\/\/chat\.example\.org would do$/);
    },
  );

  it('takes mails only when both the place and the address are configured', () => {
    const both = { ROOST_MAIL_IN_URL: 'lmtp://127.0.0.1:2424', ROOST_MAIL_IN_ADDRESS: 'chat+*@example.org' };
    expect(readConfig(both)).toMatchObject({ mailInAddress: 'chat+*@example.org', mailInNetworks: ['loopback'] });
    expect(mistakesOf({ ROOST_MAIL_IN_URL: both.ROOST_MAIL_IN_URL })).toEqual([
      'ROOST_MAIL_IN_URL needs ROOST_MAIL_IN_ADDRESS beside it',
    ]);
    for (const address of [
      'in@example.org',
      '*@*',
      '**@example.org',
      `${'x'.repeat(17)}*@example.org`,
      '*@ex ample.org',
    ])
      expect([address, mistakesOf({ ...both, ROOST_MAIL_IN_ADDRESS: address }).length]).toEqual([address, 1]);
  });

  it('takes addresses, networks and their names for proxies, and no names of hosts', () => {
    const { trustedProxies } = readConfig({ ROOST_TRUSTED_PROXIES: '10.0.0.2, 10.1.0.0/16,fd00::/8, ::1,loopback' });
    expect(trustedProxies).toEqual(['10.0.0.2', '10.1.0.0/16', 'fd00::/8', '::1', 'loopback']);
    for (const wrong of ['proxy.internal', '10.0.0', '10.0.0.256', '10.0.0.1/', 'fd00::/129', '1.2.3.4/8/8', ':::'])
      expect([wrong, mistakesOf({ ROOST_TRUSTED_PROXIES: wrong }).length]).toEqual([wrong, 1]);
  });

  it('asks the code that uses a value what is wrong with it, once it is well-formed, and shows no secret', () => {
    const checks = { ROOST_UPLOADS_URL: (value: string) => (value.includes('bucket') ? undefined : 'no bucket') };
    expect(mistakesOf({ ROOST_UPLOADS_URL: 's3://a' }, checks)).toEqual(['ROOST_UPLOADS_URL: no bucket']);
    expect(mistakesOf({ ROOST_UPLOADS_URL: 's3://bucket' }, checks)).toEqual([]);
    const secrets = { ROOST_DATABASE_URL: 'mysql://a:hush@b', ROOST_SMTP_URL: 'hush', ROOST_SECRET: 'hush' };
    expect(mistakesOf(secrets)).toHaveLength(3);
    expect(mistakesOf(secrets).join()).not.toContain('hush');
  });
});
