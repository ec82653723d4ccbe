import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { INSTALL_MS, installed } from './installed.ts';

const run = promisify(execFile);

/** Published Python clients, as on the package index. */
export const PYTHON_CLIENTS = ['zulip==0.9.1', 'zulip_bots==0.9.1', 'zulip-term==0.7.0'];
/** Tools that read API documents: one calls the operations, one validates the document, one generates a client. */
export const OPENAPI_TOOLS = ['schemathesis==4.32.5', 'openapi-spec-validator==0.9.0', 'openapi-python-client==0.29.1'];

/** Returns the folder of programs of a Python environment with these packages; undefined where they cannot be had. */
export async function pythonWith(packages: readonly string[]): Promise<string | undefined> {
  const folder = await installed('Python', packages, async (place) => {
    const venv = join(place, 'venv');
    await run('python3', ['-m', 'venv', venv], { timeout: INSTALL_MS });
    // The terminal client declares an upper bound of Python that it does not need.
    const flags = ['--quiet', '--disable-pip-version-check', '--ignore-requires-python'];
    await run(join(venv, 'bin', 'pip'), ['install', ...flags, ...packages], { timeout: INSTALL_MS });
  });
  return folder && join(folder, 'venv', 'bin');
}
