// Writes the pages of docs/ that are made from declarations, and the list of migrations.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { eventsPage } from '#kernel/openapi';
import { endpoints, eventTypes } from '../src/server.ts';
import { features } from '../src/features.ts';
import { apiPage } from './docs/api-page.ts';
import { integrationFiles } from './docs/integrations.ts';
import { migrationsIndex } from './docs/migrations.ts';

const migrations = fileURLToPath(new URL('../src/migrations/', import.meta.url));
writeFileSync(join(migrations, 'index.ts'), migrationsIndex(migrations));

const pages = features.flatMap((feature) => feature.pages);
writeFileSync(new URL('../docs/api.md', import.meta.url), apiPage(endpoints, pages));
writeFileSync(new URL('../docs/events.md', import.meta.url), eventsPage(eventTypes));

const folder = new URL('../docs/integrations/', import.meta.url);
mkdirSync(folder, { recursive: true });
for (const [name, text] of integrationFiles()) writeFileSync(new URL(name, folder), text);
