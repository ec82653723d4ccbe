import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';

/** A killed process leaves its connections half open, which causes errors here. */
const IGNORED = () => undefined;

/** A mail server that acknowledges the first mails on a subject, and accepts those that follow without an answer. */
export class ForgetfulMailServer {
  readonly #server: SMTPServer;
  /** All accepted mails, with long lines joined. */
  readonly taken: string[] = [];

  private constructor(answered: number, about: RegExp) {
    this.#server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      disableReverseLookup: true,
      onData: (stream, _session, done) => {
        void text(stream).then((mail) => {
          this.taken.push(mail.replaceAll('=\r\n', ''));
          if (!about.test(mail) || this.about(about).length <= answered) done();
        }, IGNORED);
      },
    });
    this.#server.on('error', IGNORED);
  }

  static async open(answered: number, about: RegExp): Promise<ForgetfulMailServer> {
    const server = new ForgetfulMailServer(answered, about);
    await once(server.#server.listen(0, '127.0.0.1'), 'listening');
    return server;
  }

  /** The address for `ROOST_SMTP_URL`. */
  get url(): string {
    return `smtp://127.0.0.1:${(this.#server.server.address() as AddressInfo).port}`;
  }

  /** Returns the accepted mails that match a pattern. */
  about(what: RegExp): readonly string[] {
    return this.taken.filter((mail) => what.test(mail));
  }

  close(): Promise<void> {
    return new Promise((resolve) => this.#server.close(resolve));
  }
}
