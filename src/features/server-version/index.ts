import { applier, slice } from '#kernel/slice';
import { applyRestart } from './apply.ts';
import { restarted } from './events.ts';
import { restartJob } from './record.ts';
import { serverVersion } from './tables.ts';

const VERSION_FIELDS = ['zulip_version', 'zulip_merge_base', 'zulip_feature_level', 'server_generation'];

export const serverVersionSlice = slice({
  name: 'server-version',
  tables: [serverVersion],
  events: [restarted],
  applies: [applier(['restart'], VERSION_FIELDS, applyRestart)],
  jobs: [restartJob],
});

export { recordVersion } from './record.ts';
export { FEATURE_LEVEL, ROOST_VERSION, VERSION } from './version.ts';
