import { systemClock } from '#kernel/clock';
import type { Config } from '#kernel/config';
import { tryListen } from '#kernel/http';
import { operatorClient } from '#kernel/outbound';
import { isObject, parseJson } from '#kernel/text';
import { listenFault, reasonOf } from '../refusal.ts';
import { type Finding, failed, note, ok } from './finding.ts';

/** Timeout of a request to a server, in milliseconds. */
const ANSWER_MS = 5_000;
const MAX_BYTES = 262_144;
const outbound = operatorClient({ clock: systemClock, userAgent: 'Roost doctor' });

/** Checks that the configured port is free, or that this server listens on it. */
export async function checkPort(config: Config): Promise<Finding[]> {
  const about = 'port';
  const { host, port } = config;
  if (port === 0) return [ok(about, `any that is free on ${host}`)];
  const error = await tryListen(host, port);
  if (error === undefined) return [ok(about, `${port} is free on ${host}`)];
  if (await serves(config)) return [ok(about, `a server of Roost answers on ${port} of ${host}`)];
  return [failed(about, listenFault(error) ?? reasonOf(error))];
}

/** Checks that the public address leads to this server. */
export async function checkAddress(config: Config): Promise<Finding[]> {
  const about = 'public address';
  const { externalUrl, mode } = config;
  const findings: Finding[] = [];
  if (externalUrl === undefined)
    findings.push(note(about, `ROOST_EXTERNAL_URL is unset: links lead to this machine only`));
  else {
    if (!externalUrl.startsWith('https:'))
      findings.push(note(about, `${externalUrl} is not encrypted: passwords travel in the open`));
    findings.push((await serves(config)) ? await whereItLeads(externalUrl) : ok(about, externalUrl));
  }
  if (mode === 'development') findings.push(note('mode', 'development: anybody may log in as anybody'));
  return findings;
}

/** Whether a Roost server answers on the configured port. */
async function serves({ host, port }: Config): Promise<boolean> {
  const own = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '[::1]' : host.includes(':') ? `[${host}]` : host;
  const said = await ask(`http://${own}:${port}/health/live`).catch(() => undefined);
  return said?.['status'] === 'alive';
}

/** Checks that the server at the public address reports this address as its own. */
async function whereItLeads(externalUrl: string): Promise<Finding> {
  const about = 'public address';
  try {
    const said = await ask(`${externalUrl}/api/v1/server_settings`);
    const own = said?.['realm_url'];
    if (said?.['result'] === 'success' && (own === undefined || own === externalUrl))
      return ok(about, `${externalUrl} leads to this server`);
    if (typeof own === 'string') return failed(about, `${externalUrl} leads to a server whose address is ${own}`);
    return failed(about, `${externalUrl} leads elsewhere: a proxy has to lead here, and to pass the host on`);
  } catch (error) {
    return failed(about, `nobody answers at ${externalUrl} from this machine: ${reasonOf(error)}`);
  }
}

/** Requests a JSON object; undefined for any other reply. */
async function ask(url: string): Promise<Readonly<Record<string, unknown>> | undefined> {
  const { body } = await outbound.fetch({ url, maxBytes: MAX_BYTES, timeoutMs: ANSWER_MS });
  const value = parseJson(body.toString());
  return isObject(value) ? value : undefined;
}
