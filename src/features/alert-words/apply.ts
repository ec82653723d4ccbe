/** The part of the client's state that these events change. */
interface AlertWordsState {
  readonly alert_words: readonly string[];
}

/** Returns the alert words after an event, which carries all of them. */
export function applyAlertWordsEvent(_state: AlertWordsState, { alert_words }: AlertWordsState): AlertWordsState {
  return { alert_words };
}
