import { connect } from 'node:net';
import { mailInPlace } from './listen.ts';

/** Resolves when the place where mails are handed over greets; throws the reason otherwise. */
export async function greetMailIn(url: string, timeoutMs: number): Promise<void> {
  const { host, port } = mailInPlace(url);
  const socket = connect({ host, port, timeout: timeoutMs });
  try {
    await new Promise<void>((resolve, reject) => {
      socket.once('error', reject);
      socket.once('timeout', () => reject(new Error(`no greeting within ${timeoutMs / 1000} seconds`)));
      socket.once('end', () => reject(new Error('it ended the connection')));
      socket.once('data', (chunk) => {
        if (String(chunk).startsWith('220')) resolve();
        else reject(new Error(String(chunk).slice(0, 200).trim()));
      });
    });
  } finally {
    socket.destroy();
  }
}
