// Writes the pages of docs/ that are made from declarations.
import { writeFileSync } from 'node:fs';
import { endpoints } from '../src/server.ts';
import { features } from '../src/features.ts';
import { apiPage } from './docs/api-page.ts';

const pages = features.flatMap((feature) => feature.pages);
writeFileSync(new URL('../docs/api.md', import.meta.url), apiPage(endpoints, pages));
