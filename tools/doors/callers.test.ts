import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { plant } from '../support/planting.ts';
import { findDoubleCallers } from './callers.ts';

const repository = fileURLToPath(new URL('../..', import.meta.url));
let root: string;

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'roost-callers-'));
});

afterAll(() => rmSync(root, { recursive: true }));

it.each([
  ['an actor', 'function end(context: Context, realm: RealmRef, actor: Actor) { return realm; }'],
  ['a spectator', 'const look = (tx: RealmReadTx, realm: RealmRef, actor: Actor | null) => realm;'],
  ['people', 'function ask(realmId: RealmId, people: readonly Actor[]) { return realmId; }'],
  ["an actor's transaction", 'async function ask(tx: ActorWriteTx, realm: RealmRef) { return realm; }'],
  ["a caller's transaction", 'function ask(tx: CallerReadTx, realmId: RealmId) { return realmId; }'],
  ['a request', 'function show(request: RealmRequest, realm: RealmRef) { return realm; }'],
  ['a transaction of the whole server', 'async function sweep(tx: WriteTx, realmId: RealmId) { return realmId; }'],
  ['a transaction of an organization', 'const find = (tx: RealmReadTx, realm: RealmRef, id: UserId) => id;'],
  ['a transaction in a type', 'interface Update { readonly tx: ActorWriteTx; readonly realm: RealmRef }'],
  ['an actor in the type of a function', 'type Run = (realm: RealmRef, actor: Actor) => void;'],
])('finds an organization beside %s', (_who, text) => {
  plant(root, { 'src/features/bots/keys.ts': `// first line\n${text}` });
  expect(findDoubleCallers(root)).toEqual([
    expect.stringMatching(/^src\/features\/bots\/keys\.ts:2: takes Realm(Ref|Id) /),
  ]);
});

it('lets an organization stand alone, an actor and a transaction, and lets them in at the doors', () => {
  plant(root, {
    'src/features/bots/keys.ts': `
      function end(context: Context, actor: Actor, id: UserId) { return id; }
      function sweep(tx: RealmRefWriteTx, id: UserId) { return tx.realm; }
      interface Acting { readonly realm: RealmRef; readonly actor: Actor }
      interface Store { asCaller(realm: RealmRef, actor: Actor | null): Reader }
      function inRealm(tx: ReadTx, realm: RealmRef) { return realm; }
    `,
    'src/features/bots/keys.test.ts': 'function arrange(realm: RealmRef, actor: Actor) { return realm; }',
  });
  expect(findDoubleCallers(root)).toEqual([]);
});

it('finds none here', () => {
  expect(findDoubleCallers(repository)).toEqual([]);
});
