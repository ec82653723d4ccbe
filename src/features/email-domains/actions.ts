import type { RealmRef } from '#kernel/auth';
import { lockLog } from '#kernel/events';
import type { Context } from '#kernel/context';
import type { ReadTx, WriteTx } from '#kernel/store';
import { realmUpdated } from '#features/realm-settings';
import { lockRealm, setRealmSettings, settingsOf } from '#features/realms';
import { DomainKnown, InvalidDomain, NoSuchDomain } from './errors.ts';
import { domainAdded, domainChanged, domainRemoved } from './events.ts';
import { deleteDomain, insertDomain, listDomains, setAllowsSubdomains } from './queries.ts';
import { domainFault } from './rules.ts';
import type { DomainId, DomainRow } from './tables.ts';
import { toWireDomain, type WireDomain } from './wire.ts';

/** Adds a domain and returns its ID and itself. See protocol/organizations#domains. */
export async function addDomain(context: Context, realm: RealmRef, sent: WireDomain): Promise<[DomainId, string]> {
  const domain = sent.domain.trim().toLowerCase();
  const why = domainFault(domain);
  if (why !== undefined) throw InvalidDomain({ why });
  return context.store.write(async (tx) => {
    await lockLog(tx, realm.id);
    if (await findDomain(tx, realm, domain)) throw DomainKnown({ domain });
    const id = await insertDomain(tx, { realm_id: realm.id, domain, allow_subdomains: sent.allow_subdomains });
    tx.emit(domainAdded(realm.id, { realm_domain: toWireDomain({ ...sent, domain }) }));
    return [id, domain];
  });
}

/** Says whether the domains below one count; saying it again changes nothing. */
export async function changeDomain(
  context: Context,
  realm: RealmRef,
  { domain, allow_subdomains }: WireDomain,
): Promise<void> {
  await context.store.write(async (tx) => {
    await lockLog(tx, realm.id);
    const row = await accessDomain(tx, realm, domain);
    if (row.allow_subdomains === allow_subdomains) return;
    await setAllowsSubdomains(tx, realm.id, row.id, allow_subdomains);
    tx.emit(domainChanged(realm.id, { realm_domain: { domain: row.domain, allow_subdomains } }));
  });
}

/** Removes a domain; without the last one addresses are restricted no more. */
export async function removeDomain(context: Context, realm: RealmRef, domain: string): Promise<void> {
  await context.store.write(async (tx) => {
    await lockLog(tx, realm.id);
    const row = await accessDomain(tx, realm, domain);
    await deleteDomain(tx, realm.id, row.id);
    tx.emit(domainRemoved(realm.id, { domain: row.domain }));
    if ((await listDomains(tx, realm.id)).length === 0) await liftRestriction(tx, realm);
  });
}

async function liftRestriction(tx: WriteTx, realm: RealmRef): Promise<void> {
  const row = await lockRealm(tx, realm.id);
  if (!settingsOf(row).emails_restricted_to_domains) return;
  await setRealmSettings(tx, realm.id, { ...row.settings, emails_restricted_to_domains: false });
  tx.emit(realmUpdated(realm.id, { property: 'emails_restricted_to_domains', value: false }));
}

async function accessDomain(tx: ReadTx, realm: RealmRef, sent: string): Promise<DomainRow> {
  const row = await findDomain(tx, realm, sent.trim().toLowerCase());
  if (!row) throw NoSuchDomain({ domain: sent });
  return row;
}

async function findDomain(tx: ReadTx, realm: RealmRef, domain: string): Promise<DomainRow | undefined> {
  return (await listDomains(tx, realm.id)).find((row) => row.domain === domain);
}
