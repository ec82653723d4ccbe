import type { RealmRef } from '#kernel/auth';
import { lockLog } from '#kernel/events';
import type { Context } from '#kernel/context';
import type { RealmReadTx, RealmWriteTx } from '#kernel/store';
import { realmUpdated } from '#features/realm-settings';
import { assertListRoom, lockRealm, setRealmSettings, settingsOf } from '#features/realms';
import { DomainKnown, InvalidDomain, NoSuchDomain } from './errors.ts';
import { domainAdded, domainChanged, domainRemoved } from './events.ts';
import { deleteDomain, insertDomain, listDomains, setAllowsSubdomains } from './queries.ts';
import { domainFault } from './rules.ts';
import type { DomainId, DomainRow } from './tables.ts';
import { toWireDomain, type WireDomain } from './wire.ts';

/** Adds a domain; returns its ID and the domain as stored. See protocol/organizations#domains. */
export async function addDomain(context: Context, realm: RealmRef, sent: WireDomain): Promise<[DomainId, string]> {
  const domain = sent.domain.trim().toLowerCase();
  const why = domainFault(domain);
  if (why !== undefined) throw InvalidDomain({ why });
  return context.store.in(realm).write(async (tx) => {
    await lockLog(tx);
    const known = (await listDomains(tx)).map(toWireDomain);
    if (known.some((one) => one.domain === domain)) throw DomainKnown({ domain });
    const realm_domain = toWireDomain({ ...sent, domain });
    assertListRoom('domains', [...known, realm_domain], known);
    const id = await insertDomain(tx, { realm_id: realm.id, ...realm_domain });
    tx.emit(domainAdded({ realm_domain }));
    return [id, domain];
  });
}

/** Sets whether subdomains of a domain are allowed, too; emits nothing if that is so already. */
export async function changeDomain(
  context: Context,
  realm: RealmRef,
  { domain, allow_subdomains }: WireDomain,
): Promise<void> {
  await context.store.in(realm).write(async (tx) => {
    await lockLog(tx);
    const row = await accessDomain(tx, domain);
    if (row.allow_subdomains === allow_subdomains) return;
    await setAllowsSubdomains(tx, row.id, allow_subdomains);
    tx.emit(domainChanged({ realm_domain: { domain: row.domain, allow_subdomains } }));
  });
}

/** Removes a domain; removing the last one turns the restriction off. */
export async function removeDomain(context: Context, realm: RealmRef, domain: string): Promise<void> {
  await context.store.in(realm).write(async (tx) => {
    await lockLog(tx);
    const row = await accessDomain(tx, domain);
    await deleteDomain(tx, row.id);
    tx.emit(domainRemoved({ domain: row.domain }));
    if ((await listDomains(tx)).length === 0) await liftRestriction(tx);
  });
}

async function liftRestriction(tx: RealmWriteTx): Promise<void> {
  const row = await lockRealm(tx);
  if (!settingsOf(row).emails_restricted_to_domains) return;
  await setRealmSettings(tx, { ...row.settings, emails_restricted_to_domains: false });
  tx.emit(realmUpdated({ property: 'emails_restricted_to_domains', value: false }));
}

async function accessDomain(tx: RealmReadTx, sent: string): Promise<DomainRow> {
  const row = await findDomain(tx, sent.trim().toLowerCase());
  if (!row) throw NoSuchDomain({ domain: sent });
  return row;
}

async function findDomain(tx: RealmReadTx, domain: string): Promise<DomainRow | undefined> {
  return (await listDomains(tx)).find((row) => row.domain === domain);
}
