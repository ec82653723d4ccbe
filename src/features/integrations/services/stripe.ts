import { type Field, firstOf } from '../field.ts';
import { UnsupportedEvent } from '../faults.ts';
import { integration, OPTIONS } from '../integration.ts';
import { bold, facts, link, md, paragraphs } from '../markdown.ts';
import { asWords, capital, mark } from '../words/index.ts';

/** Kinds of events that accounts are set up for. */
const EVENTS = [
  'charge.succeeded',
  'charge.failed',
  'charge.dispute.created',
  'charge.refunded',
  'customer.created',
  'customer.deleted',
  'customer.subscription.created',
  'customer.subscription.deleted',
  'customer.subscription.trial_will_end',
  'invoice.payment_failed',
  'invoice.paid',
  'payout.paid',
  'checkout.session.completed',
  'payment_intent.succeeded',
];
/** Things of which something is said. */
const list = [
  'charge',
  'customer',
  'invoice',
  'customer.subscription',
  'payment_intent',
  'payout',
  'checkout.session',
  'charge.dispute',
  'charge.refund',
];
const object = {
  id: 'ch_1',
  object: 'charge',
  amount: 1250,
  currency: 'usd',
  customer: 'cus_F1',
  status: 'succeeded',
  description: 'Ferry ticket',
};
/** Currencies that have no smaller unit. */
const WHOLE = new Set([
  'bif',
  'clp',
  'djf',
  'gnf',
  'jpy',
  'kmf',
  'krw',
  'mga',
  'pyg',
  'rwf',
  'ugx',
  'vnd',
  'vuv',
  'xaf',
  'xof',
  'xpf',
]);
const money = (it: Field) => {
  const amount = ['amount', 'amount_due', 'amount_total', 'amount_paid', 'plan.amount']
    .map((path) => it.at(path).number)
    .find((one) => one !== undefined);
  const currency = firstOf(it.at('currency'), it.at('plan.currency')).toLowerCase();
  if (amount === undefined || currency === '') return '';
  return WHOLE.has(currency)
    ? `${amount} ${currency.toUpperCase()}`
    : `${(amount / 100).toFixed(2)} ${currency.toUpperCase()}`;
};

export const stripe = integration({
  name: 'stripe',
  title: 'Stripe',
  category: 'Money',
  setUp:
    'In the dashboard open Developers, Webhooks, Add endpoint. Paste the address as Endpoint URL and choose the events.',
  options: [OPTIONS.secret],
  signature: {
    header: 'stripe-signature',
    algorithm: 'sha256',
    signed: (time) => `${time}.`,
    parts: (header) => {
      const pairs = header.split(',').map((part) => part.split('=', 2));
      return {
        time: pairs.find(([name]) => name === 't')?.[1] ?? '',
        signatures: pairs.flatMap(([name, value]) => (name === 'v1' && value !== undefined ? [value] : [])),
      };
    },
  },
  events: EVENTS,
  read: (at) => {
    const event = at('type').need;
    const it = at('data.object');
    const dot = event.lastIndexOf('.');
    const [kind, verb] = [event.slice(0, dot), event.slice(dot + 1)];
    if (!list.includes(kind)) throw new UnsupportedEvent(event);
    const [name = ''] = asWords(kind).split(' ').slice(-1);
    const place = {
      charge: 'charges',
      customer: 'customers',
      invoice: 'invoices',
      subscription: 'subscriptions',
      dispute: 'disputes',
      intent: 'payments',
      payout: 'payouts',
      refund: 'refunds',
    }[name];
    const url =
      place === undefined
        ? ''
        : `https://dashboard.stripe.com/${at('livemode').value === false ? 'test/' : ''}${place}/${it.at('id').text}`;
    const bad = /failed|dispute|deleted/.test(event);
    return {
      event,
      topic:
        kind === 'customer' ? it.at('id').need : firstOf(it.at('customer'), kind === 'payout' ? 'payouts' : 'charges'),
      content: paragraphs(
        md`${mark(bad ? 'bad' : /succeeded|paid|completed/.test(verb) ? 'good' : 'note')} ${link(capital(asWords(kind)), url)} ${asWords(verb)}${money(it) === '' ? undefined : md`: ${bold(money(it))}`}`,
        facts({
          Description: it.at('description'),
          Email: firstOf(it.at('email'), it.at('customer_email')),
          Reason: firstOf(it.at('failure_message'), it.at('reason'), it.at('last_payment_error.message')),
          Status: it.at('status'),
        }),
      ),
    };
  },
  samples: EVENTS.map((type) => ({
    of: `An event: ${type}`,
    json: {
      id: 'evt_1',
      type,
      livemode: true,
      data: {
        object:
          type.startsWith('customer.') && !type.includes('subscription')
            ? { id: 'cus_F1', email: 'gus@ferry.example' }
            : type.includes('failed')
              ? { ...object, status: 'failed', failure_message: 'The card was declined' }
              : object,
      },
    },
  })),
});
