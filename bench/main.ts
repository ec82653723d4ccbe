// npm run bench [-- name …]: runs all measurements, or those named. Each prints its figures beside a floor of the same run;
// docs/performance.md explains the rows. The measured server is the built one, in a process of its own.
import { execFileSync } from 'node:child_process';
import { cpus, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';
import { benchMarkdown } from './markdown.ts';
import { attacked } from './rows/attacked.ts';
import { b1 } from './rows/b1-start.ts';
import { b2 } from './rows/b2-send.ts';
import { b3, b4, b5 } from './rows/b3-fan-out.ts';
import { b6 } from './rows/b6-register.ts';
import { b7 } from './rows/b7-presence.ts';
import { b8 } from './rows/b8-mix.ts';
import { b9 } from './rows/b9-crash.ts';
import { b10 } from './rows/b10-history.ts';
import { b11 } from './rows/b11-upgrade.ts';
import { capacity } from './rows/capacity.ts';
import { cost } from './rows/cost.ts';
import { benchFiles } from './rows/files.ts';
import { benchFirstConversation } from './rows/first-conversation.ts';
import { benchHostile } from './rows/hostile.ts';
import { memory } from './rows/memory.ts';
import { benchMoving } from './rows/moving.ts';
import { benchNotify } from './rows/notify.ts';
import { nodes } from './rows/nodes.ts';
import { benchSignIn } from './rows/sign-in.ts';
import { soak } from './rows/soak.ts';
import { benchSubscribe } from './rows/subscribe.ts';
import { benchWebhooks } from './rows/webhooks.ts';
import { benchWeb } from './rows/web.ts';
import { benchWebBroken } from './rows/web-broken.ts';
import { benchWebCrowd } from './rows/web-crowd.ts';

const measurements: Readonly<Record<string, () => Promise<void>>> = {
  b1,
  b2,
  b3,
  b4,
  b5,
  b6,
  b7,
  b8,
  b9,
  b10,
  b11,
  files: benchFiles,
  hostile: benchHostile,
  subscribe: benchSubscribe,
  webhooks: benchWebhooks,
  notify: benchNotify,
  markdown: benchMarkdown,
};

/** Measurements that run only when named, because they take minutes. */
const byName: Readonly<Record<string, () => Promise<void>>> = {
  'first-conversation': benchFirstConversation,
  soak,
  attacked,
  moving: benchMoving,
  'sign-in': benchSignIn,
  web: benchWeb,
  cost,
  nodes,
  memory,
  capacity,
  'web-broken': benchWebBroken,
  'web-crowd': benchWebCrowd,
};

const run = fileURLToPath(new URL('../tools/run.mjs', import.meta.url));
execFileSync(process.execPath, [run, 'build'], { stdio: 'inherit' });
const machine = `${cpus().length} x ${cpus()[0]?.model ?? 'unknown'}, ${(totalmem() / 2 ** 30).toFixed(0)} GiB`;
console.log(`${machine}, Node ${process.version}`);
const names = process.argv.slice(2);
for (const name of names.length > 0 ? names : Object.keys(measurements)) {
  const measure = measurements[name] ?? byName[name];
  if (!measure)
    throw new Error(`no measurement "${name}"; there are: ${Object.keys({ ...measurements, ...byName }).join(', ')}`);
  await measure();
}
