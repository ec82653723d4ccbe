import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { Refusal } from './refusal.ts';

/** Most characters that are read from a pipe. */
const MAX_PIPED = 10_000;

/** Reads a new password: asks twice without echo at a terminal, otherwise reads the first line of standard input. */
export async function readNewPassword(whose: string): Promise<string> {
  const password = process.stdin.isTTY ? await askTwice(whose) : await firstLine();
  if (password === '') throw new Refusal('no password was given on standard input');
  return password;
}

async function askTwice(whose: string): Promise<string> {
  const password = await ask(`Password of ${whose}: `);
  if ((await ask('The same again: ')) !== password) throw new Refusal('the passwords differ');
  return password;
}

/** Reads a line at the terminal with normal editing, but without echo. */
function ask(question: string): Promise<string> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output: nowhere, terminal: true });
  process.stderr.write(question);
  return new Promise<string>((resolve, reject) => {
    terminal.on('SIGINT', () => reject(new Refusal('stopped')));
    terminal.question('', resolve);
  }).finally(() => {
    terminal.close();
    process.stderr.write('\n');
  });
}

async function firstLine(): Promise<string> {
  let text = '';
  for await (const chunk of process.stdin.setEncoding('utf8')) {
    text += String(chunk);
    if (text.includes('\n') || text.length > MAX_PIPED) break;
  }
  return text.split(/\r?\n/, 1)[0] ?? '';
}
