import type { Config } from '#kernel/config';
import { realmUrlOf } from '#kernel/auth';
import type { Store } from '#kernel/store';
import { listRealms } from '#features/realms';
import { countPasskeys } from '#features/sign-in';
import { type Finding, failed, note, ok } from './finding.ts';

const ABOUT = 'passkeys';

/** Checks that passkeys work at the organizations' addresses, and that existing ones are for these addresses. */
export async function passkeyFindings(store: Store, { externalUrl, port }: Config): Promise<Finding[]> {
  const realms = await store.query((tx) => listRealms(tx));
  const findings: Finding[] = [];
  let good = 0;
  for (const { id, string_id } of realms) {
    const url = new URL(realmUrlOf(string_id, { externalUrl: externalUrl ?? `http://localhost:${port}` }));
    const all = await store.of(id).query((tx) => countPasskeys(tx));
    const lost = [...all].filter(([host]) => host !== null && host !== url.hostname);
    for (const [host, count] of lost)
      findings.push(
        failed(ABOUT, `${many(count)} for ${host}, and ${count === 1 ? 'does' : 'do'} not work at ${url.hostname}`),
      );
    const count = [...all.values()].reduce((sum, one) => sum + one, 0);
    const fault = faultOf(url);
    // Only a remark if there are no passkeys: a test server at an IP address is fine.
    if (fault !== undefined) findings.push((count > 0 ? failed : note)(ABOUT, `${url.origin}: ${fault}`));
    good += count - lost.reduce((sum, [, one]) => sum + one, 0);
  }
  return findings.length > 0 ? findings : [ok(ABOUT, `${good} for the addresses of today`)];
}

/** Returns why browsers refuse passkeys at an address (WebAuthn, 5.1.3). */
function faultOf({ protocol, hostname }: URL): string | undefined {
  if (hostname.startsWith('[') || /^[\d.]+$/.test(hostname)) return 'browsers make no passkeys for a bare IP address';
  const isHere = hostname === 'localhost' || hostname.endsWith('.localhost');
  return protocol === 'https:' || isHere ? undefined : 'browsers make passkeys by https only';
}

function many(count: number): string {
  return count === 1 ? 'one was made' : `${count} were made`;
}
