/** The first message of a topic. */
interface FirstMessage {
  readonly topic: string;
  /** In Markdown. */
  readonly content: string;
}

/** The texts of an organization's first day in one language. */
export interface FirstDayWords {
  /** Descriptions of the first channels, as plain text without markup, by their names. */
  readonly descriptions: Readonly<Record<'general' | 'random' | 'sandbox', string>>;
  readonly welcome: FirstMessage;
  readonly experiments: FirstMessage;
  /** What the welcome bot writes to each new user. */
  readonly greeting: string;
  /** What the welcome bot answers to all that is no keyword. */
  readonly help: string;
  /** The welcome bot's answers by keyword, in lower case. */
  readonly answers: Readonly<Record<string, string>>;
}
