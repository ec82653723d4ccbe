import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { TestClock } from '#kernel/clock';
import { openMetrics } from '#kernel/metrics';
import { Traffic } from './bounds/traffic.ts';
import { Proxies } from './proxies.ts';
import { HttpRequest } from './request.ts';

/** A request as it comes from an address, with headers. */
function requestFrom(address: string, headers: Record<string, string>, trusted: readonly string[]): HttpRequest {
  const socket = new Socket();
  Object.defineProperty(socket, 'remoteAddress', { value: address });
  const raw = new IncomingMessage(socket);
  Object.assign(raw.headers, { host: 'own.test', ...headers });
  const proxies = new Proxies(trusted);
  const bounds = { maxConnections: 10, maxConnectionsPerAddress: 10 };
  const traffic = new Traffic({ bounds, proxies, context: { clock: new TestClock(), metrics: openMetrics() } });
  return new HttpRequest(raw, new ServerResponse(raw), { proxies, traffic });
}

describe('the address and the host of a request', () => {
  it('are those of the connection and its Host header, whatever other headers claim', () => {
    const claims = { 'x-forwarded-for': '198.51.100.7', 'x-forwarded-host': 'other.test' };
    for (const trusted of [[], ['10.0.0.2']]) {
      const request = requestFrom('203.0.113.9', claims, trusted);
      expect([request.address, request.host]).toEqual(['203.0.113.9', 'own.test']);
    }
  });

  it('are those that a trusted proxy names', () => {
    const claims = { 'x-forwarded-for': '198.51.100.7', 'x-forwarded-host': 'other.test' };
    const request = requestFrom('10.0.0.2', claims, ['10.0.0.0/8']);
    expect([request.address, request.host]).toEqual(['198.51.100.7', 'other.test']);
  });

  it('are the last address that is no proxy and the last host, whatever the client told the proxy', () => {
    const claims = {
      'x-forwarded-for': '192.0.2.1, 198.51.100.7, 10.0.0.3',
      'x-forwarded-host': 'evil.test, other.test',
    };
    const request = requestFrom('10.0.0.2', claims, ['10.0.0.2', '10.0.0.3']);
    expect([request.address, request.host]).toEqual(['198.51.100.7', 'other.test']);
  });
});

describe('a request', () => {
  it('with the method HEAD counts as a GET', () => {
    const request = requestFrom('203.0.113.9', {}, []);
    request.raw.method = 'HEAD';
    expect(request.verb).toBe('GET');
  });

  it('names the type of its body without parameters', () => {
    const type = (header: string) => requestFrom('203.0.113.9', { 'content-type': header }, []).contentType;
    expect(type('Multipart/Form-Data; boundary=x')).toBe('multipart/form-data');
    expect(type('application/json')).toBe('application/json');
    expect(requestFrom('203.0.113.9', {}, []).contentType).toBe('');
  });
});
