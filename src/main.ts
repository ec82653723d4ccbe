import { defineCommand, runMain } from 'citty';

/** The commands of `roost`; each is loaded only when it is called. */
const main = defineCommand({
  meta: { name: 'roost', description: 'A team-chat server' },
  subCommands: {
    serve: () => import('./commands/serve.ts').then((command) => command.serve),
    demo: () => import('./commands/demo.ts').then((command) => command.demo),
    migrate: () => import('./commands/migrate.ts').then((command) => command.migrate),
    backup: () => import('./commands/backup.ts').then((command) => command.backup),
    restore: () => import('./commands/restore.ts').then((command) => command.restore),
    doctor: () => import('./commands/doctor.ts').then((command) => command.doctor),
    jobs: () => import('./commands/jobs.ts').then((command) => command.jobs),
    account: () => import('./commands/account.ts').then((command) => command.account),
    organization: () => import('./commands/organization.ts').then((command) => command.organization),
  },
});

await runMain(main);
