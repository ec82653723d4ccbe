/** A person or a service as mail knows it. */
export interface Mailbox {
  /** Any text; shown, never obeyed. */
  readonly name?: string;
  /** `local@host`, at most 254 characters. RFC 5321 §4.5.3.1. */
  readonly address: string;
}

/** A mail to one recipient. */
export interface Mail {
  readonly to: Mailbox;
  /** Shown before the server's address; absent: the server's own name. */
  readonly fromName?: string;
  readonly replyTo?: Mailbox;
  /** Where mail servers report that it could not be delivered; the sender's address when absent. RFC 5321 §4.4. */
  readonly bounceTo?: string;
  readonly subject: string;
  readonly text: string;
  readonly html?: string;
  /** Further fields, like `List-Unsubscribe`. Their names are ours, their values may hold any text. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** What sends mails. */
export interface Mailer {
  /** Hands a mail over for good; fails with a `MailFault`. */
  sendMail(mail: Mail): Promise<void>;
  /** Throws the reason when no mail can be sent now. Ends within seconds. */
  checkHealth(): Promise<void>;
  /** Waits for what is being sent and closes the connections. */
  close(): Promise<void>;
}

/** Field of every mail from this server, which identifies the mail when it comes back. */
export const OWN_MAIL = 'X-Roost-Server';

/** Statuses by which a mail server says that there is no such address, or none any more. RFC 3463 §3.2, 3.3. */
export const UNKNOWN_ADDRESS = /\b5\.(?:1\.(?:1|2|3|6|10)|2\.1)\b/;

/** A mail that was not sent. The message names no address. */
export class MailFault extends Error {
  override readonly name = 'MailFault';
  /** Whether sending it again would fail again. */
  readonly isPermanent: boolean;

  constructor(message: string, isPermanent: boolean, cause?: unknown) {
    super(message, { cause });
    this.isPermanent = isPermanent;
  }

  /** What the mail server answered. */
  get says(): string {
    return this.cause instanceof Error ? this.cause.message : this.message;
  }

  /** Whether the mail server knows no such address; other refusals can be about us. */
  get isUnknownAddress(): boolean {
    return this.isPermanent && UNKNOWN_ADDRESS.test(this.says);
  }
}

/** What the operator says of the sender: `Name <address>` or an address, as the configuration has checked. */
export interface SenderSettings {
  readonly mailFrom: string | undefined;
  readonly mailReplyTo: string | undefined;
}

/** Who mails are from, and where answers go. */
export interface Senders {
  readonly from: Mailbox;
  readonly replyTo?: Mailbox;
}

/** The sender as configured, else an address of the host under which people reach the server. */
export function sendersOf({ mailFrom, mailReplyTo }: SenderSettings, host: string): Senders {
  const address = `noreply@${host.includes('.') ? host : `${host}.localdomain`}`;
  return {
    from: mailFrom === undefined ? { name: 'Roost', address } : parseMailbox(mailFrom),
    ...(mailReplyTo !== undefined && { replyTo: parseMailbox(mailReplyTo) }),
  };
}

function parseMailbox(text: string): Mailbox {
  const [, name = '', address] = /^(.*)<([^<>]+)>\s*$/.exec(text) ?? [];
  return address === undefined ? { address: text.trim() } : { name: name.trim(), address: address.trim() };
}
