/** Where the system finds programs, libraries and temporary files. */
const OF_THE_SYSTEM = ['DYLD_LIBRARY_PATH', 'LD_LIBRARY_PATH', 'PATH', 'SystemRoot', 'TEMP', 'TMPDIR'];

/** The environment for programs that need nothing of ours, in which there are passwords. */
export function bareEnvironment(): Record<string, string> {
  const entries = OF_THE_SYSTEM.flatMap((name): [string, string][] => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value]];
  });
  return Object.fromEntries(entries);
}
