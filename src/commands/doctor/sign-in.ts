import { X509Certificate } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { SECONDS_PER_DAY, systemClock } from '#kernel/clock';
import type { Config } from '#kernel/config';
import { ConfigError } from '#kernel/config';
import { Directory, DirectoryFault } from '#kernel/directory';
import {
  type GithubProvider,
  type LdapDirectory,
  type OpenidProvider,
  type Provider,
  readIdentity,
  type SamlProvider,
} from '#kernel/identity';
import { operatorClient } from '#kernel/outbound';
import { type Finding, failed, note, ok } from './finding.ts';

/**
 * Checks the file of identity providers and its mode, that each OpenID provider reports its configured issuer, and how
 * long certificates are valid.
 */
export async function checkSignIn({ signInFile }: Config): Promise<Finding[]> {
  const about = 'sign-in';
  if (signInFile === undefined) return [ok(about, 'by password; no ROOST_SIGN_IN_FILE')];
  try {
    const { providers, ldap } = readIdentity(signInFile);
    const { mode } = await stat(signInFile);
    if ((mode & 0o077) !== 0) return [failed(about, `others have rights to ${signInFile}: chmod go= ${signInFile}`)];
    const openids = providers.filter((provider) => provider.kind === 'openid');
    const rest = ok(about, `${signInFile} is right and only this user reads it`);
    const directories = Object.entries(ldap).map(([label, settings]) => checkDirectory(label, settings));
    const samls = providers.filter((provider) => provider.kind === 'saml').flatMap(checkCertificates);
    const silent = providers.flatMap((provider) => mute(provider));
    const hubs = providers.filter((provider) => provider.kind === 'github');
    const asked = [...openids.map(checkIssuer), ...hubs.map(checkGithub), ...directories];
    return [rest, ...samls, ...silent, ...(await Promise.all(asked))];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.mistakes.map((mistake) => failed(about, mistake));
  }
}

async function checkDirectory(label: string, settings: LdapDirectory): Promise<Finding> {
  const about = `directory${label === '' ? '' : ` ${label}`}`;
  try {
    await new Directory(settings, systemClock).check();
    return ok(about, `${settings.url} answers`);
  } catch (error) {
    if (!(error instanceof DirectoryFault)) throw error;
    return failed(about, `${settings.url}: ${error.reason}, ${error.code}`);
  }
}

/** Remarks on a provider's configuration that restricts it without preventing sign-in. */
function mute(provider: Provider): Finding[] {
  const about = `sign-in ${provider.id}`;
  if (provider.kind !== 'saml') return [];
  const hints = [
    ...(provider.private_key === undefined ? ['requests are not signed: give it a key with private_key'] : []),
    ...(provider.emails_verified === true ? [] : ['addresses join nothing: see emails_verified']),
  ];
  return hints.map((hint) => note(about, hint));
}

/** Days before the end of a certificate from which it is reported. */
const NEAR_DAYS = 30;

/**
 * Checks the expiry of a SAML provider's certificates. Signatures are verified whatever the dates say, but providers
 * replace their certificates by then, and accept this server's own only until then.
 */
function checkCertificates({ id, certificates, certificate }: SamlProvider): Finding[] {
  const about = `sign-in ${id}`;
  const ends = [...certificates, ...(certificate === undefined ? [] : [certificate])].map(endOf);
  if (ends.includes(undefined)) return [failed(about, 'a certificate of it cannot be read')];
  const newest = Math.max(...certificates.map((one) => endOf(one) ?? 0));
  const own = certificate === undefined ? newest : (endOf(certificate) ?? 0);
  const end = Math.min(newest, own);
  const day = new Date(end).toISOString().slice(0, 10);
  const left = (end - systemClock.nowMs()) / (SECONDS_PER_DAY * 1000);
  if (left <= 0) return [failed(about, `a certificate ended on ${day}: put the new one in its place`)];
  if (left < NEAR_DAYS) return [note(about, `a certificate ends on ${day}: put the new one beside it before`)];
  return [ok(about, `certificates are good until ${day}`)];
}

function endOf(certificate: string): number | undefined {
  try {
    return Date.parse(new X509Certificate(certificate).validTo);
  } catch {
    return undefined;
  }
}

async function checkIssuer({ id, issuer }: OpenidProvider): Promise<Finding> {
  const about = `sign-in ${id}`;
  const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  try {
    const outbound = operatorClient({ clock: systemClock, userAgent: 'Roost doctor' });
    const { status, body } = await outbound.fetch({ url, maxBytes: 262_144 });
    const says: unknown = status === 200 ? JSON.parse(body.toString('utf8')) : undefined;
    const named = typeof says === 'object' && says !== null && 'issuer' in says ? says.issuer : undefined;
    if (named === issuer) return ok(about, `${issuer} answers`);
    return failed(
      about,
      `${url} answers ${status} and names ${typeof named === 'string' ? named : 'no issuer'}, not ${issuer}`,
    );
  } catch {
    return failed(about, `${url} gives no answer that can be read`);
  }
}

/** Checks that GitHub's API answers; without a token, any reply will do. */
async function checkGithub({ id, url }: GithubProvider): Promise<Finding> {
  const about = `sign-in ${id}`;
  const api = url === undefined ? 'https://api.github.com/zen' : `${url.replace(/\/$/, '')}/api/v3/zen`;
  try {
    const outbound = operatorClient({ clock: systemClock, userAgent: 'Roost doctor' });
    const { status } = await outbound.fetch({ url: api, maxBytes: 65_536 });
    return status < 500 && status !== 404 ? ok(about, `${api} answers`) : failed(about, `${api} answers ${status}`);
  } catch {
    return failed(about, `${api} gives no answer`);
  }
}
