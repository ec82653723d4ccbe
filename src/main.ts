import { stripVTControlCharacters } from 'node:util';
import { type CommandDef, defineCommand, renderUsage, runMain } from 'citty';
import { completionOf } from './commands/completion.ts';

/** The commands of `roost`; each is loaded only when it is called. */
const main: CommandDef = defineCommand({
  meta: async () => {
    const { ROOST_VERSION } = await import('#features/server-version');
    return { name: 'roost', version: ROOST_VERSION, description: 'A team-chat server' };
  },
  subCommands: {
    serve: () => import('./commands/serve.ts').then((command) => command.serve),
    demo: () => import('./commands/demo.ts').then((command) => command.demo),
    migrate: () => import('./commands/migrate.ts').then((command) => command.migrate),
    files: () => import('./commands/files.ts').then((command) => command.files),
    export: () => import('./commands/export.ts').then((command) => command.export),
    import: () => import('./commands/import.ts').then((command) => command.import),
    backup: () => import('./commands/backup.ts').then((command) => command.backup),
    restore: () => import('./commands/restore.ts').then((command) => command.restore),
    doctor: () => import('./commands/doctor.ts').then((command) => command.doctor),
    audit: () => import('./commands/audit.ts').then((command) => command.audit),
    jobs: () => import('./commands/jobs.ts').then((command) => command.jobs),
    mail: () => import('./commands/mail.ts').then((command) => command.mail),
    organization: () => import('./commands/organization.ts').then((command) => command.organization),
    user: () => import('./commands/user.ts').then((command) => command.user),
    account: () => import('./commands/account.ts').then((command) => command.account),
    invite: () => import('./commands/invite.ts').then((command) => command.invite),
    scim: () => import('./commands/scim.ts').then((command) => command.scim),
    ldap: () => import('./commands/ldap.ts').then((command) => command.ldap),
    channel: () => import('./commands/channel.ts').then((command) => command.channel),
    'push-service': () => import('./commands/push-service.ts').then((command) => command.pushService),
    'push-gateway': () => import('./commands/push-gateway.ts').then((command) => command.pushGateway),
    completion: completionOf(() => main),
  },
});

// Whatever a command writes belongs to its user alone, also what packages write for it.
process.umask(0o077);
// The reader of the output may stop before its end, as `head` does.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(0);
});
await runMain(main, {
  showUsage: async (command, parent) => {
    const usage = await renderUsage(command, parent);
    // Only terminals show colours.
    process.stdout.write(`${process.stdout.isTTY ? usage : stripVTControlCharacters(usage)}\n`);
  },
});
