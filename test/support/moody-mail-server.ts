import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';

/** How a mail server treats mails, as an operator may meet it in the first days. */
export type Mood = 'accepts' | 'greylists' | 'refuses the sender' | 'refuses the recipient' | 'vanishes';

/** A refusal with its status, in the form that the library wants. */
class RefusedBy extends Error {
  readonly responseCode: number;

  constructor(responseCode: number, message: string) {
    super(message);
    this.responseCode = responseCode;
  }
}

/** A mail server on this machine whose behaviour can be set. */
export class MoodyMailServer {
  readonly #server: SMTPServer;
  readonly #known = new Set<string>();
  mood: Mood = 'accepts';
  /** All accepted mails, with long lines joined. */
  readonly taken: string[] = [];

  private constructor() {
    this.#server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      disableReverseLookup: true,
      onMailFrom: (_address, _session, done) => {
        const isRefused = this.mood === 'refuses the sender';
        done(isRefused ? new RefusedBy(553, '5.7.1 this sender is not yours') : null);
      },
      onRcptTo: ({ address }, _session, done) => {
        const isNew = !this.#known.has(address);
        this.#known.add(address);
        if (this.mood === 'refuses the recipient') done(new RefusedBy(550, '5.1.1 nobody has this address'));
        else if (this.mood === 'greylists' && isNew) done(new RefusedBy(451, '4.7.1 greylisted, try again later'));
        // It accepts the whole mail, and closes the connection without an answer.
        else if (this.mood === 'vanishes') this.#hangUp();
        else done();
      },
      onData: (stream, _session, done) => {
        void text(stream).then((mail) => {
          this.taken.push(mail.replaceAll('=\r\n', ''));
          done();
        });
      },
    });
    this.#server.on('error', () => undefined);
  }

  static async open(): Promise<MoodyMailServer> {
    const server = new MoodyMailServer();
    await once(server.#server.listen(0, '127.0.0.1'), 'listening');
    return server;
  }

  #hangUp(): void {
    for (const connection of this.#server.connections) connection.close();
  }

  /** The address for `ROOST_SMTP_URL`. */
  get url(): string {
    return `smtp://127.0.0.1:${(this.#server.server.address() as AddressInfo).port}`;
  }

  /** Mails to an address. */
  to(address: string): readonly string[] {
    return this.taken.filter((mail) => new RegExp(`^To: .*${address}`, 'm').test(mail));
  }

  close(): Promise<void> {
    return new Promise((resolve) => this.#server.close(resolve));
  }
}
