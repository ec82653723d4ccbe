/** What a client keeps of alert words. */
interface AlertWordsState {
  readonly alert_words: readonly string[];
}

/** The alert words after an event, which brings all of them. */
export function applyAlertWordsEvent(_state: AlertWordsState, { alert_words }: AlertWordsState): AlertWordsState {
  return { alert_words };
}
