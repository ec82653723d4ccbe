import { lookUp } from '#kernel/lists';
import { type At, type Field, firstOf } from '../field.ts';
import { PayloadFault, UnsupportedEvent } from '../faults.ts';
import { integration, OPTIONS, type Said } from '../integration.ts';
import { bold, facts, lines, link, type Markdown, md, paragraphs, time } from '../markdown.ts';
import { asWords, capital, links, mark, type Mood } from '../words/index.ts';
import { stripeSamples } from './stripe.samples.ts';

/** Paths of the dashboard by kind of object; also the topic of objects that belong to no customer. */
const PLACES: Readonly<Record<string, string>> = {
  charge: 'charges',
  'checkout.session': 'checkouts',
  credit_note: 'credit_notes',
  customer: 'customers',
  dispute: 'disputes',
  invoice: 'invoices',
  payment_intent: 'payments',
  payout: 'payouts',
  product: 'products',
  refund: 'refunds',
  subscription: 'subscriptions',
  transfer: 'transfers',
};
/** Fields that can have the amount; the first one that is present counts. */
const AMOUNTS = ['amount', 'amount_due', 'amount_total', 'items.data.0.price.unit_amount', 'plan.amount'];
const CURRENCIES = ['currency', 'items.data.0.price.currency', 'plan.currency'];
/** Currencies without a smaller unit. https://docs.stripe.com/currencies#zero-decimal */
const WHOLE = new Set('bif clp djf gnf jpy kmf krw mga pyg rwf ugx vnd vuv xaf xof xpf'.split(' '));

function money(amount: number | undefined, currency: string): string {
  if (amount === undefined || currency === '') return '';
  const name = currency.toUpperCase();
  return WHOLE.has(currency.toLowerCase()) ? `${amount} ${name}` : `${(amount / 100).toFixed(2)} ${name}`;
}

const currencyOf = (it: Field) => firstOf(...CURRENCIES.map((path) => it.at(path)));
const priceOf = (it: Field) =>
  money(
    AMOUNTS.map((path) => it.at(path).number).find((one) => one !== undefined),
    currencyOf(it),
  );

/** A discount as percentage or amount. */
function discountOf(coupon: Field): string {
  const percent = firstOf(coupon.at('percent_off_precise'), coupon.at('percent_off'));
  const amount = coupon.at('amount_off').number;
  return percent !== '' ? `${percent} %` : money(amount, coupon.at('currency').text);
}

function moodOf(event: string, it: Field): Mood {
  const outcome = it.at('status').text;
  if (event.endsWith('dispute.closed')) return outcome === 'lost' ? 'bad' : 'good';
  if (/reinstated|resumed/.test(event)) return 'good';
  if (/failed|dispute|deleted|uncollectible|expired|action_required|overdue/.test(event)) return 'bad';
  return /succeeded|paid|completed|captured/.test(event) ? 'good' : 'note';
}

/** Lists the changed fields with old and new values. */
function changesOf(at: At): Markdown {
  const changes = at('data.previous_attributes').members.map(([name, before]) => {
    const [old, now] = [before, at(`data.object.${name}`)].map((one) => valueOf(name, one));
    return old === undefined && now === undefined
      ? md`${asWords(name)}`
      : md`${asWords(name)}: ${old ?? 'none'} → ${now ?? 'none'}`;
  });
  return lines(changes, ', ');
}

/** A field's value; times are formatted. */
function valueOf(name: string, one: Field): Markdown | undefined {
  if (one.text === '') return undefined;
  return TIMES.test(name) && (one.number ?? 0) > 100_000_000 ? time(one) : md`${one}`;
}
const TIMES = /(?:_at|_start|_end|_anchor|_date|_attempt|due_by)$|^(?:start|created|updated)$/;

function factsOf(at: At, it: Field): Markdown {
  const refunded = it.at('amount_refunded').number ?? 0;
  return facts({
    Number: it.at('number'),
    Name: firstOf(it.at('name'), it.at('customer_name'), it.at('customer_details.name')),
    Email: firstOf(it.at('email'), it.at('customer_email'), it.at('customer_details.email')),
    Description: firstOf(it.at('description'), it.at('lines.data.0.description')),
    Plan: firstOf(it.at('items.data.0.price.nickname'), it.at('plan.nickname')),
    Every: firstOf(it.at('items.data.0.price.recurring.interval'), it.at('plan.interval')),
    Quantity: firstOf(it.at('items.data.0.quantity'), it.at('quantity')),
    Coupon: firstOf(it.at('coupon.name'), it.at('coupon.id')),
    Discount: discountOf(it.at('coupon')),
    'Given back': refunded === 0 ? '' : money(refunded, currencyOf(it)),
    Reason: firstOf(
      it.at('failure_message'),
      it.at('failure_reason'),
      it.at('last_payment_error.message'),
      asWords(it.at('reason').text),
    ),
    Status: asWords(firstOf(it.at('status'), it.at('payment_status'))),
    Changed: changesOf(at),
    'Evidence until': time(it.at('evidence_details.due_by')),
    'Next attempt': time(it.at('next_payment_attempt')),
    'Trial until': time(it.at('trial_end')),
    Due: time(it.at('due_date')),
    Arrives: time(it.at('arrival_date')),
  });
}

function read(at: At): Said {
  const event = at('type').need;
  const it = at('data.object');
  if (!/^\w+(?:\.\w+)+$/.test(event)) throw new UnsupportedEvent(event);
  if (typeof it.value !== 'object' || it.value === null) throw new PayloadFault('no object');
  const dot = event.lastIndexOf('.');
  const [kind, verb] = [event.slice(0, dot), event.slice(dot + 1)];
  // Bank payments are charges in the API and payments in the dashboard.
  const isPayment = it.at('id').text.startsWith('py_');
  const place = isPayment
    ? 'payments'
    : (lookUp(PLACES, kind) ?? lookUp(PLACES, kind.slice(kind.lastIndexOf('.') + 1)) ?? '');
  const test = at('livemode').value === false ? 'test/' : '';
  // Address of the dashboard's page; an upcoming invoice has no ID and no page.
  const url =
    place === '' || !it.at('id').exists ? '' : `https://dashboard.stripe.com/${test}${place}/${it.at('id').text}`;
  const price = priceOf(it);
  return {
    event,
    topic: firstOf(kind === 'customer' ? it.at('id') : it.at('customer'), place, asWords(kind)),
    content: paragraphs(
      md`${mark(moodOf(event, it))} ${link(capital(asWords(kind)), url)} ${asWords(verb)}${price === '' ? undefined : md`: ${bold(price)}`}`,
      factsOf(at, it),
      links({ Invoice: it.at('hosted_invoice_url') }),
    ),
  };
}

export const stripe = integration({
  name: 'stripe',
  title: 'Stripe',
  category: 'Money',
  setUp:
    'In the dashboard open Developers, Webhooks, Add endpoint. Paste the address as Endpoint URL and choose the events: those below are shown in detail, of all others what they are about.',
  options: [OPTIONS.secret],
  signature: {
    header: 'stripe-signature',
    algorithm: 'sha256',
    signed: (moment) => `${moment}.`,
    parts: (header) => {
      const pairs = header.split(',').map((part) => part.split('=', 2));
      return {
        time: pairs.find(([name]) => name === 't')?.[1] ?? '',
        signatures: pairs.flatMap(([name, value]) => (name === 'v1' && value !== undefined ? [value] : [])),
      };
    },
  },
  events: [
    'charge.captured',
    'charge.dispute.closed',
    'charge.dispute.created',
    'charge.dispute.funds_reinstated',
    'charge.dispute.funds_withdrawn',
    'charge.dispute.updated',
    'charge.expired',
    'charge.failed',
    'charge.refunded',
    'charge.succeeded',
    'charge.updated',
    'checkout.session.async_payment_failed',
    'checkout.session.completed',
    'checkout.session.expired',
    'customer.created',
    'customer.deleted',
    'customer.discount.created',
    'customer.subscription.created',
    'customer.subscription.deleted',
    'customer.subscription.paused',
    'customer.subscription.resumed',
    'customer.subscription.trial_will_end',
    'customer.subscription.updated',
    'customer.updated',
    'invoice.created',
    'invoice.deleted',
    'invoice.finalized',
    'invoice.marked_uncollectible',
    'invoice.paid',
    'invoice.payment_action_required',
    'invoice.payment_failed',
    'invoice.payment_succeeded',
    'invoice.sent',
    'invoice.upcoming',
    'invoice.updated',
    'invoice.voided',
    'invoiceitem.created',
    'payment_intent.canceled',
    'payment_intent.payment_failed',
    'payment_intent.succeeded',
    'payout.canceled',
    'payout.created',
    'payout.failed',
    'payout.paid',
    'product.created',
    'refund.created',
    'refund.failed',
  ],
  read,
  samples: stripeSamples,
});
