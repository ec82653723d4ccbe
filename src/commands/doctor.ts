import { defineCommand } from 'citty';
import { systemClock } from '#kernel/clock';
import { type Config, ConfigError } from '#kernel/config';
import { configOf } from './configuration.ts';
import { checkAddress, checkPort } from './doctor/address.ts';
import { checkDataDir, checkDiskSpace } from './doctor/machine.ts';
import { checkBackups } from './doctor/backups.ts';
import { checkDatabase } from './doctor/database.ts';
import { type Finding, failed, findingsOf, ok } from './doctor/finding.ts';
import { checkNode } from './doctor/maintenance.ts';
import { checkSignIn } from './doctor/sign-in.ts';
import { checkFiles, checkMail, checkMailIn, checkPush, checkRedis } from './doctor/services.ts';

export const doctor = defineCommand({
  meta: { name: 'doctor', description: 'Check the configuration and the services it uses' },
  run: async () => {
    const { config, findings } = configuration();
    findings.forEach(print);
    const all = config ? [...findings, ...(await examine(config))] : findings;
    const faults = all.filter(({ state }) => state === 'FAIL').length;
    process.stdout.write(faults === 0 ? 'nothing is wrong\n' : `${faults} ${faults === 1 ? 'fault' : 'faults'}\n`);
    // Exits without waiting for connections that did not answer.
    process.exit(faults === 0 ? 0 : 1);
  },
});

function configuration(): { config?: Config; findings: Finding[] } {
  try {
    const config = configOf(process.env);
    return { config, findings: [ok('configuration', 'every ROOST_* variable is known and well-formed')] };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return { findings: error.mistakes.map((mistake) => failed('configuration', mistake)) };
  }
}

/** Runs all checks concurrently and prints their findings in a fixed order. */
async function examine(config: Config): Promise<Finding[]> {
  const checks = {
    node: checkNode,
    port: checkPort,
    'public address': checkAddress,
    'data folder': checkDataDir,
    'disk space': checkDiskSpace,
    database: checkDatabase,
    redis: checkRedis,
    'file store': checkFiles,
    backups: checkBackups,
    mail: checkMail,
    'mail in': checkMailIn,
    'push service': checkPush,
    'sign-in': checkSignIn,
  };
  const running = Object.entries(checks).map(([about, check]) => findingsOf(about, systemClock, () => check(config)));
  const all: Finding[] = [];
  for (const findings of running) {
    (await findings).forEach(print);
    all.push(...(await findings));
  }
  return all;
}

function print({ state, about, says }: Finding): void {
  process.stdout.write(`${state.padEnd(4)}  ${about.padEnd(14)}  ${says}\n`);
}
