import { integration } from '../integration.ts';
import { bullets, link, md, paragraphs } from '../markdown.ts';
import { asWords, mark } from '../words/index.ts';

const signatures = (codes: string[]) =>
  codes.map((status_code, index) => ({ status_code, signer_name: ['Mia Member', 'Max Member', 'Gus Guest'][index] }));
const call = (event_type: string, codes: string[]) => ({
  event: { event_type, event_time: '1780000000' },
  signature_request: {
    title: 'Charter of the ferry',
    details_url: 'https://hellosign.example/home/manage?guid=2b38',
    is_complete: codes.every((code) => code === 'signed'),
    signatures: signatures(codes),
  },
});

export const hellosign = integration({
  name: 'hellosign',
  title: 'HelloSign',
  category: 'Other',
  setUp: 'In HelloSign open Integrations, API, Account callback, and paste the address.',
  read: (at) => {
    if (at('event.event_type').text === 'callback_test')
      return { topic: 'HelloSign', content: md`HelloSign is connected.` };
    const title = at('signature_request.title').need;
    const people = at('signature_request.signatures').list.map(
      (one) => md`${one.at('signer_name').text || 'Somebody'}: ${asWords(one.at('status_code').text)}`,
    );
    return {
      topic: title,
      content: paragraphs(
        md`${mark(at('signature_request.is_complete').isTrue ? 'good' : 'note')} The document ${link(title, at('signature_request.details_url'))}: ${asWords(at('event.event_type').text || 'changed').replace('signature request ', '')}.`,
        bullets(people),
      ),
    };
  },
  samples: [
    {
      of: 'A document is signed',
      form: { json: JSON.stringify(call('signature_request_signed', ['signed', 'awaiting_signature'])) },
    },
    { of: 'All have signed', json: call('signature_request_all_signed', ['signed', 'signed']) },
    { of: 'A document is sent', json: call('signature_request_sent', ['awaiting_signature', 'declined', 'signed']) },
  ],
});
