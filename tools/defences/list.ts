import { ENTERED } from './accounts.ts';
import { ARCHIVES } from './archives.ts';
import { STORED } from './content.ts';
import { CROWDS_BORNE } from './crowds.ts';
import type { Defence } from './defence.ts';
import { HOLES_CLOSED } from './holes.ts';
import { ASKING } from './outbound.ts';
import { PUSHED } from './push.ts';
import { BOUNDED } from './requests.ts';
import { SIGNING_IN } from './signing-in.ts';
import { VOUCHING } from './vouching.ts';

/** Defences that docs/security.md promises, each of which is removed in turn. */
export const DEFENCES: readonly Defence[] = [
  ...ARCHIVES,
  ...ASKING,
  ...BOUNDED,
  ...CROWDS_BORNE,
  ...ENTERED,
  ...HOLES_CLOSED,
  ...PUSHED,
  ...SIGNING_IN,
  ...STORED,
  ...VOUCHING,
];
