import { firstOf } from '../field.ts';
import { PayloadFault } from '../faults.ts';
import { integration } from '../integration.ts';
import { md } from '../markdown.ts';

export const dialogflow = integration({
  name: 'dialogflow',
  title: 'Dialogflow',
  category: 'Other',
  setUp:
    'In the agent open Fulfillment, turn on Webhook, and paste the address with the option email: the person who is written to.',
  options: [{ key: 'email', label: 'Address of the person who is written to', input_type: 'text' }],
  read: (at, { option }) => {
    const status = at('status.code').number;
    const said = at('queryResult').exists
      ? firstOf(at('queryResult.fulfillmentText'), at('queryResult.queryText'))
      : firstOf(at('result.fulfillment.speech'), at('alternateResult.fulfillment.speech'));
    if (!at('result').exists && !at('queryResult').exists) throw new PayloadFault('no result');
    const email = option('email');
    return {
      topic: 'Dialogflow',
      content:
        status !== undefined && status !== 200
          ? md`${status} - ${at('status.errorDetails').text || 'error'}`
          : md`${said || 'Dialogflow had no answer.'}`,
      ...(email !== '' && { person: email }),
    };
  },
  samples: [
    { of: 'An answer', json: { result: { fulfillment: { speech: 'The tide is high at 9.' } }, status: { code: 200 } } },
    { of: 'Version 2', json: { queryResult: { queryText: 'When is high tide?', fulfillmentText: 'At 9.' } } },
    {
      of: 'A failure',
      json: { result: { fulfillment: { speech: '' } }, status: { code: 400, errorDetails: 'No tide found.' } },
    },
  ],
});
