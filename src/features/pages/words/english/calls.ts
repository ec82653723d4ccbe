/** Texts of the pages of video calls. */
export const calls = {
  'calls.back': 'Back to the messages',
  'calls.none': 'No call',
  'calls.absent': 'BigBlueButton is not configured.',
  'calls.signature': 'Invalid signature. Ask the person who sent you this address for a new one.',
  'calls.unreachable': 'Error connecting to the BigBlueButton server. Try again in a moment.',
  'calls.checksum': 'Error authenticating to the BigBlueButton server. Tell the operator of this server.',
  'calls.refused': 'BigBlueButton server returned an unexpected error. Tell the operator of this server.',
  'zoom.not': 'Zoom is not connected',
  'zoom.absent': 'Zoom credentials have not been configured.',
  'zoom.session': 'Invalid Zoom session identifier. Start the call again.',
  'zoom.denied': 'Zoom was not connected. You can start the call again.',
  'zoom.refused': 'Invalid Zoom credentials. Tell the operator of this server.',
  'zoom.failed': 'Zoom does not answer at the moment. Try again later.',
  'zoom.connected': 'Zoom is connected',
  'zoom.connectedLede': 'Your calls will use your Zoom account from now on. You can close this window.',
} as const;
