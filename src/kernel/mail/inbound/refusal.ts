/** Codes of SMTP by which a mail is refused: for good, or for now. RFC 5321 §4.2.3. */
const CODES = { unknown: 550, refused: 554, large: 552, later: 451, crowded: 452 } as const;

/** Why a mail is not taken. The text goes to its sender, and names nothing that the mail does not name itself. */
export class MailRefusal extends Error {
  override readonly name = 'MailRefusal';
  readonly responseCode: number;

  constructor(kind: keyof typeof CODES, message: string) {
    super(message);
    this.responseCode = CODES[kind];
  }

  /** Whether the sender's server would get the same answer again. */
  get isFinal(): boolean {
    return this.responseCode >= 500;
  }
}
