// Takes pictures of the HTML of the mails that people get, as a mail program shows it, as contact sheets:
// `npx tsx --conditions=source tools/mail-pictures.ts FOLDER`. Needs Debian's Chromium.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserContext } from 'playwright-core';
import PostalMime from 'postal-mime';
import sharp from 'sharp';
import { digestJob } from '#features/notifications';
import { enqueue } from '#kernel/jobs';
import { openBrowser } from '../test/support/browser.ts';
import { Visitor } from '../test/support/browser-client.ts';
import { writtenMailFiles } from '../test/support/mails.ts';
import { openWorld, type World } from '../test/support/world.ts';

const DAY_MS = 86_400_000;
const SIZES = [
  { name: 'wide', width: 900, columns: 2 },
  { name: 'phone', width: 390, columns: 4 },
] as const;
const LONG =
  'The pump in the lower basin was replaced this morning, and the level is back to normal. Please look at https://status.example.org/incidents/2026-11-23/the-pump-in-the-lower-basin?from=mail before you open the gate.';

async function jobs({ server: { context } }: World): Promise<void> {
  context.jobs.start(context);
  context.jobs.wake();
  await context.jobs.idle();
}

/** Does everything that people get mails about. */
async function act(world: World): Promise<void> {
  const { olive, max, mia, adam, clock, server, realm } = world;
  const principals = [max, mia, adam].map(({ userId }) => userId);
  for (const name of ['kitchen', 'harbour works, north side'])
    await olive.post('/users/me/subscriptions', {
      subscriptions: [{ name, description: `About ${name}` }],
      principals,
    });
  await olive.patch('/realm', {
    digest_emails_enabled: true,
    digest_weekday: (new Date(clock.nowMs()).getUTCDay() + 6) % 7,
  });
  const say = (topic: string, content: string) =>
    mia.post('/messages', { type: 'channel', to: 'kitchen', topic, content });
  clock.advance(8 * DAY_MS);
  await say('the pump in the lower basin', LONG);
  await say('lunch', 'Who comes along?');
  await say('lunch', `@**Max Member|${max.userId}** do you? ${LONG}`);
  await say('lunch', '```\nls -l /srv/roost/very/long/path/that/does/not/end/and/has/no/blanks/in/it.txt\n```');
  await mia.post('/messages', { type: 'direct', to: [max.userId], content: 'I am **outside**.\n\n* one\n* two' });
  await jobs(world);
  clock.advance(120_000);
  await jobs(world);
  const since = clock.now() - (7 * DAY_MS) / 1000;
  await server.context.store.of(realm.id).write((tx) => enqueue(tx, digestJob, { since }, { key: 'digest' }));
  await jobs(world);
  const visitor = new Visitor(server, '203.0.113.7', 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Firefox/140.0');
  await visitor.get('/login/');
  await visitor.post('/login/', { username: 'owner@roost.test', password: 'roost-demo-password' });
  await visitor.get('/accounts/password/reset/');
  await visitor.post('/accounts/password/reset/', { email: 'owner@roost.test' });
  await olive.post('/invites', { invitee_emails: 'nina@roost.test', stream_ids: [] });
  await max.patch('/settings', { email: 'max@elsewhere.test' });
  const comment = 'Thank you for all the fish.\n\nYour desk is kept until Friday.';
  await olive.delete(`/users/${mia.userId}`, { deactivation_notification_comment: comment });
  await jobs(world);
}

/** Takes pictures of pages side by side. */
async function takeSheet(
  context: BrowserContext,
  pages: readonly string[],
  file: string,
  size: (typeof SIZES)[number],
) {
  const page = await context.newPage();
  const pictures: Buffer[] = [];
  for (const html of pages) {
    await page.setContent(html);
    await page.setViewportSize({ width: size.width, height: 100 });
    pictures.push(await page.screenshot({ fullPage: true }));
  }
  await page.close();
  const heights = await Promise.all(pictures.map(async (one) => (await sharp(one).metadata()).height));
  const rows = Math.ceil(pictures.length / size.columns);
  const tall = Array.from({ length: rows }, (_, row) =>
    Math.max(...heights.slice(row * size.columns, (row + 1) * size.columns)),
  );
  const topOf = (row: number) => tall.slice(0, row).reduce((sum, height) => sum + height + 8, 0);
  await sharp({
    create: { width: size.columns * (size.width + 8), height: topOf(rows), channels: 3, background: '#f0f' },
  })
    .composite(
      pictures.map((input, index) => ({
        input,
        left: (index % size.columns) * (size.width + 8),
        top: topOf(Math.floor(index / size.columns)),
      })),
    )
    .png()
    .toFile(file);
}

const folder = process.argv[2] ?? 'mail-pictures';
mkdirSync(folder, { recursive: true });
const world = await openWorld('sqlite');
await act(world);
const mails = await Promise.all(writtenMailFiles(world.dataDir).map((bytes) => PostalMime.parse(bytes)));
await world.close();
for (const colorScheme of ['light', 'dark'] as const) {
  const browser = await openBrowser({ colorScheme });
  const pages = mails.map(({ html = '' }) => html);
  for (const size of SIZES)
    await takeSheet(browser.context, pages, join(folder, `mails-${size.name}-${colorScheme}.png`), size);
  await browser.close();
}
process.stdout.write(mails.map(({ subject = '' }, index) => `${index + 1}. ${subject}\n`).join(''));
