import { endpoint, humans, raw } from '#kernel/endpoint';
import { maybe, str, text } from '#kernel/schema';
import { updateSettings } from '#features/user-settings';
import { COMMANDS } from './commands.ts';
import { NoSuchCommand, SlashMissing } from './errors.ts';

/** Longest command, in code points. */
const MAX_COMMAND = 100;

const runCommand = endpoint({
  id: 'run-slash-command',
  method: 'POST',
  path: '/zcommand',
  source: 'protocol/settings#small-operations',
  doc: 'Runs a slash command and returns the text that tells its result.',
  who: humans,
  params: { command: raw(text({ max: MAX_COMMAND }), 'The command with its slash.') },
  returns: { msg: maybe(str()) },
  fails: [SlashMissing, NoSuchCommand],
  async run({ actor, params, context }) {
    const typed = params.command.trim();
    if (!typed.startsWith('/')) throw SlashMissing();
    const command = COMMANDS.get(typed.slice(1));
    if (!command) throw NoSuchCommand({ command: typed.slice(1) });
    await updateSettings(context, actor, command.settings);
    return command.said === '' ? {} : { msg: command.said };
  },
});

export const commandEndpoints = [runCommand];
