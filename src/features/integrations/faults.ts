/** A payload that the service it is meant to be from does not send. */
export class PayloadFault extends Error {}

/** A kind of event of which an integration says nothing. */
export class UnsupportedEvent extends Error {
  readonly event: string;

  constructor(event: string) {
    super(event);
    this.event = event;
  }
}

/** A header that names the kind of event, or signs it, and did not come. */
export class HeaderMissing extends Error {
  readonly header: string;

  constructor(header: string) {
    super(header);
    this.header = header;
  }
}
