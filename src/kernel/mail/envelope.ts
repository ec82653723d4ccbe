import { MailFault } from './mail.ts';

/** Milliseconds until a mail server that says nothing is given up. */
const TIMEOUT_MS = 10_000;

/**
 * Goes as far with a mail server as one can without sending: logs in, names sender and recipient, and takes both back. Throws
 * what the server answers when it refuses one of them.
 */
export async function tryEnvelope(url: string, from: string, to: string): Promise<void> {
  const [{ default: Connection }, { parseConnectionUrl }] = await Promise.all([
    import('nodemailer/lib/smtp-connection'),
    import('nodemailer/lib/shared'),
  ]);
  const options = parseConnectionUrl(url);
  const timeouts = { connectionTimeout: TIMEOUT_MS, greetingTimeout: TIMEOUT_MS, socketTimeout: TIMEOUT_MS };
  const connection = new Connection({ ...options, ...timeouts });
  try {
    await new Promise<void>((resolve, reject) => {
      connection.once('error', reject);
      connection.once('end', () => reject(new Error('the mail server ended the connection')));
      connection.connect(() => {
        const name = () => void nameBoth(connection, from, to).then(resolve, reject);
        if (options.auth) connection.login(options.auth, (error) => (error ? reject(error) : name()));
        else name();
      });
    });
  } catch (error) {
    const says = error instanceof Error ? error.message : String(error);
    throw new MailFault(says.split('\n')[0] ?? '', true, error);
  } finally {
    connection.removeAllListeners();
    connection.on('error', () => undefined);
    connection.close();
  }
}

/** MAIL FROM and RCPT TO, and back. RFC 5321 §4.1.1. */
async function nameBoth(connection: object, from: string, to: string): Promise<void> {
  for (const line of [`MAIL FROM:<${from}>`, `RCPT TO:<${to}>`, 'RSET']) {
    const answer = await ask(connection, line);
    if (!answer.startsWith('2')) throw new Error(`${line}: ${answer}`);
  }
}

/** Sends one command. The library does so in steps that it does not declare; its version is pinned, and a test tries this. */
function ask(connection: object, line: string): Promise<string> {
  const send: unknown = Reflect.get(connection, '_sendCommand');
  const actions: unknown = Reflect.get(connection, '_responseActions');
  if (typeof send !== 'function' || !Array.isArray(actions)) throw new Error('the mail library has changed');
  return new Promise((resolve) => {
    actions.push((answer: string) => resolve(answer));
    Reflect.apply(send, connection, [line]);
  });
}
