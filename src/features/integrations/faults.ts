/** The payload does not have the service's format. */
export class PayloadFault extends Error {}

/** The integration does not support this kind of event. */
export class UnsupportedEvent extends Error {
  readonly event: string;

  constructor(event: string) {
    super(event);
    this.event = event;
  }
}

/** A required header is missing: the kind of event, or the signature. */
export class HeaderMissing extends Error {
  readonly header: string;

  constructor(header: string) {
    super(header);
    this.header = header;
  }
}
