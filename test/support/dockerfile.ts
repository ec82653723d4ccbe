import { readFileSync } from 'node:fs';

/** One instruction of a Dockerfile: a name such as `COPY`, and the rest of its line. */
export interface Instruction {
  readonly name: string;
  readonly value: string;
}

/** A stage: its base, its name, and its instructions. */
export interface Stage {
  readonly base: string;
  readonly as: string;
  readonly steps: readonly Instruction[];
}

/** Parses the stages of a Dockerfile, with continued lines joined. */
export function readDockerfile(path: string): readonly Stage[] {
  const lines = readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    .join('\n')
    .replaceAll('\\\n', ' ')
    .split('\n')
    .filter((line) => line.trim() !== '');
  const stages: { base: string; as: string; steps: Instruction[] }[] = [];
  for (const line of lines) {
    const [, name = '', value = ''] = /^([A-Z]+)\s+(.*)$/.exec(line.trim()) ?? [];
    if (name === '') throw new Error(`no instruction: ${line}`);
    const [base = '', , as = ''] = value.split(/\s+/);
    if (name === 'FROM') stages.push({ base, as, steps: [] });
    else stages.at(-1)?.steps.push({ name, value });
  }
  return stages;
}

/** Returns the value of the last instruction of a name; empty where there is none. */
export function lastOf({ steps }: Stage, name: string): string {
  return steps.findLast((step) => step.name === name)?.value ?? '';
}

/** Returns the environment that a stage sets. */
export function environmentOfStage({ steps }: Stage): Record<string, string> {
  const pairs = steps
    .filter(({ name }) => name === 'ENV')
    .flatMap(({ value }) => value.trim().split(/\s+/))
    .map((pair): [string, string] => {
      const [name = '', ...rest] = pair.split('=');
      return [name, rest.join('=')];
    });
  return Object.fromEntries(pairs);
}

/** Parses the JSON list of ENTRYPOINT and CMD. */
export function wordsOf(value: string): readonly string[] {
  return JSON.parse(value.replace(/^.*?\[/s, '[')) as string[];
}
