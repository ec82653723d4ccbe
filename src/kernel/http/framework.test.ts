import inject from 'light-my-request';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestClock } from '#kernel/clock';
import { openMetrics } from '#kernel/metrics';
import { Traffic } from './bounds/traffic.ts';
import { type Framework, openFramework } from './framework.ts';
import { Proxies } from './proxies.ts';

/** One request of each kind that bypasses the framework (decision 0015). */
const ORDINARY = [
  { method: 'GET' },
  { method: 'DELETE' },
  { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' },
  { method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: 'a=b' },
  { method: 'PATCH', headers: { 'content-type': 'application/offset+octet-stream' }, body: 'bytes' },
] as const;
const IN_PARTS = {
  method: 'POST',
  headers: { 'content-type': 'Multipart/Form-Data; boundary=x' },
  body: '--x\r\ncontent-disposition: form-data; name="a"\r\n\r\nb\r\n--x--\r\n',
} as const;

type Sent = (typeof ORDINARY)[number] | typeof IN_PARTS;

describe('the web framework', () => {
  const seen: string[] = [];
  let framework: Framework;
  let address: string;
  beforeAll(async () => {
    const bounds = { maxConnections: 10, maxConnectionsPerAddress: 10 };
    const context = { clock: new TestClock(), metrics: openMetrics() };
    framework = openFramework({
      traffic: new Traffic({ bounds, proxies: new Proxies([]), context }),
      isEncrypted: () => false,
      serve: (request, response, parts) => {
        request.resume();
        response.end(parts ? 'with parts' : 'whole');
      },
    });
    // The framework calls its hooks for each request that it handles.
    framework.app.addHook('onRequest', async ({ method }) => void seen.push(method));
    address = await framework.app.listen({ port: 0, host: '127.0.0.1' });
  });
  afterAll(() => framework.close());

  const roads: Readonly<Record<string, (sent: Sent) => Promise<string>>> = {
    'through a socket': async (sent) => (await fetch(address, sent)).text(),
    'without a socket': async ({ body, ...rest }: Sent & { readonly body?: string }) =>
      (await inject(framework.dispatch, { url: '/', ...rest, ...(body !== undefined && { payload: body }) })).body,
  };
  for (const [road, send] of Object.entries(roads)) {
    it(`handles multipart bodies and no other request that comes ${road}`, async () => {
      seen.length = 0;
      expect(await send(IN_PARTS)).toBe('with parts');
      expect(seen).toEqual(['POST']);
      for (const sent of ORDINARY) expect(await send(sent)).toBe('whole');
      expect(seen).toEqual(['POST']);
    });
  }
});
