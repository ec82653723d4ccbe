import type { Mailbox } from './mail.ts';

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
