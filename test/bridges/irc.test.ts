import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pause } from '../support/pause.ts';
import { freePort } from '../support/process.ts';
import { openSide, programs, type Running, type Side, start, until } from './bridge.ts';

describe.skipIf(!programs)('the bridge to IRC (docs/bridges.md)', () => {
  let side: Side;
  let server: Running;
  let bridge: Running;
  let sailor: Socket;
  let heard = '';
  beforeAll(async () => {
    const port = await freePort();
    server = start(['-m', 'irc.server', '--address', '127.0.0.1', '--port', String(port)]);
    side = await openSide('harbour');
    sailor = await connected(port);
    sailor.on('data', (chunk) => (heard += String(chunk)));
    sailor.write('NICK sailor\r\nUSER sailor 0 * :Sailor\r\nJOIN #quay\r\n');
    const place = ['--channel', 'harbour', '--topic', 'IRC', '--irc-channel', '#quay'];
    bridge = start(['irc_channel.py', '--zuliprc', side.zuliprc, '--irc', `127.0.0.1:${port}`, ...place]);
    await until(
      () => Promise.resolve(heard.includes('begin')),
      () => side.post('begin', 'IRC'),
    );
  });
  afterAll(async () => {
    sailor.destroy();
    await bridge.stop();
    await server.stop();
    await side.close();
  });
  const said = () => heard.split('\r\n').flatMap((line) => /^:roost\S* PRIVMSG #quay :(.*)$/.exec(line)?.[1] ?? []);
  const posted = async () =>
    (await side.messages()).filter(({ client }) => client.startsWith('RoostBridge')).map(({ content }) => content);

  it('carries lines of IRC, formatted plainly, and no notices', async () => {
    sailor.write('PRIVMSG #quay :ahoy @**all** \u0002bold\u0002 \u000304red\u0003\r\n');
    sailor.write('PRIVMSG #quay :\u0001ACTION waves\u0001\r\n');
    sailor.write('NOTICE #quay :from a program\r\n');
    sailor.write('PRIVMSG #quay :last\r\n');
    await expect.poll(posted).toContain('**sailor**: last');
    await expect.poll(posted).toHaveLength(3);
    expect(new Set(await posted())).toEqual(
      new Set(['**sailor**: ahoy @_**all** bold red', '**sailor**: *waves*', '**sailor**: last']),
    );
  });

  it('carries messages of the topic as lines that cannot be commands, and of long ones the beginning', async () => {
    await side.post('elsewhere', 'other');
    await side.post('one\r\nQUIT :gone\n\ntwo', 'IRC');
    await side.post(`${'ä'.repeat(300)}\n${'line\n'.repeat(20)}`, 'IRC');
    await expect.poll(() => said().at(-1)).toMatch(/more lines\)$/);
    const lines = said().filter((line) => !line.endsWith('begin'));
    expect(lines.slice(0, 3)).toEqual(['<Max Member> one', '<Max Member> QUIT :gone', '<Max Member> two']);
    expect(
      lines
        .slice(3, 5)
        .map((line) => line.replace('<Max Member> ', ''))
        .join(''),
    ).toBe('ä'.repeat(300));
    expect(lines).toHaveLength(3 + 8 + 1);
    expect(heard).not.toContain('elsewhere');
  });

  it('does not carry back what it carried', async () => {
    sailor.write('PRIVMSG #quay :echo?\r\n');
    await expect.poll(posted).toContain('**sailor**: echo?');
    await side.post('after the echo', 'IRC');
    await expect.poll(() => said().at(-1)).toBe('<Max Member> after the echo');
    expect(heard).not.toContain('sailor**');
    expect((await posted()).some((content) => content.includes('after the echo'))).toBe(false);
  });
});

/** A connection to a server that is just starting. */
async function connected(port: number): Promise<Socket> {
  for (let tries = 0; ; tries++) {
    const socket = connect(port, '127.0.0.1');
    try {
      await once(socket, 'connect');
      return socket;
    } catch (error) {
      if (tries > 100) throw error;
      await pause(200);
    }
  }
}
