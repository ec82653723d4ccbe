import { type CommandDef, defineCommand, type Resolvable } from 'citty';
import { orRefuse, Refusal } from './refusal.ts';

/** The words that can follow each path of words: `''`, `user`, `user list`. */
type Words = ReadonlyMap<string, readonly string[]>;

const SHELLS: Readonly<Record<string, (words: Words) => string>> = { bash, zsh, fish };

const args = { shell: { type: 'positional', required: true, description: 'bash, zsh or fish' } } as const;

/** Makes the command that writes shell completions, derived from the declarations of all commands. */
export function completionOf(main: () => CommandDef): CommandDef<typeof args> {
  return defineCommand({
    meta: { name: 'completion', description: 'Write completions for a shell: bash, zsh or fish' },
    args,
    run: ({ args: { shell } }) =>
      orRefuse(async () => {
        const write = SHELLS[shell];
        if (!write) throw new Refusal(`there are completions for ${Object.keys(SHELLS).join(', ')}, not "${shell}"`);
        process.stdout.write(write(await wordsOf(main(), '')));
      }),
  });
}

function resolved<T>(value: Resolvable<T>): T | Promise<T> {
  return isMaker(value) ? value() : value;
}

function isMaker<T>(value: Resolvable<T>): value is (() => T) | (() => Promise<T>) {
  return typeof value === 'function';
}

async function wordsOf(command: CommandDef, path: string): Promise<Words> {
  const children = Object.entries((await resolved(command.subCommands ?? {})) ?? {});
  const options = Object.entries((await resolved(command.args ?? {})) ?? {}).filter(
    ([, arg]) => arg.type !== 'positional',
  );
  const own = [...children.map(([name]) => name), ...options.map(([name]) => `--${name}`)];
  const words = new Map([[path, own]]);
  for (const [name, child] of children)
    for (const entry of await wordsOf(await resolved(child), path === '' ? name : `${path} ${name}`))
      words.set(entry[0], [...entry[1]]);
  return words;
}

/** Lines of a `case` over the words before the one to complete. */
function cases(words: Words, line: (path: string, own: string) => string): string {
  return [...words].map(([path, own]) => line(path, own.join(' '))).join('\n');
}

function bash(words: Words): string {
  return `_roost() {
  local path="\${COMP_WORDS[*]:1:COMP_CWORD-1}" words=""
  case "$path" in
${cases(words, (path, own) => `    "${path}"*) words="${own}" ;;`)
  .split('\n')
  .toReversed()
  .join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _roost roost
`;
}

function zsh(words: Words): string {
  return `#compdef roost
autoload -U +X bashcompinit && bashcompinit
${bash(words)}`;
}

function fish(words: Words): string {
  return `${cases(words, (path, own) => {
    const typed = "(string join ' ' (commandline -opc)[2..-1])";
    const isHere = path === '' ? '__fish_use_subcommand' : `string match -rq -- '^${path}( -.*)?$' ${typed}`;
    return `complete -c roost -f -n "${isHere}" -a "${own}"`;
  })}
`;
}
