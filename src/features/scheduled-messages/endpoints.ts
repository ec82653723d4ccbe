import { TooManyTexts } from '#features/users';
import { isInteractive, SENDING_ERRORS } from '#features/messages';
import { alias, endpoint, everyone, json, optional, path, raw } from '#kernel/endpoint';
import { bool, idOf, int, intOrInts, list, refined, MAX_MARKDOWN, text } from '#kernel/schema';
import { removeScheduled, scheduleMessage } from './actions.ts';
import * as errors from './errors.ts';
import { listScheduled } from './queries.ts';
import type { ScheduledId } from './tables.ts';
import { updateScheduled } from './update.ts';
import { toWireScheduled, wireScheduled } from './wire.ts';

const TYPES = ['direct', 'channel', 'stream', 'private'];
const type = raw(
  refined(text(), (value) => TYPES.includes(value), 'Not in the list of possible values'),
  `One of ${TYPES.join(', ')}.`,
);
/** Most recipients of a message. */
const MAX_PEOPLE = 1000;
const to = json(intOrInts({ max: MAX_PEOPLE }), 'The ID of a channel, or a list of the IDs of people.');
const topic = optional(alias(raw(text({ trim: true, nul: 'allowed' })), 'subject'));
const content = raw(text({ nul: 'allowed', max: MAX_MARKDOWN }), 'Markdown.');
const scheduled_delivery_timestamp = json(int(), 'Seconds since 1970; in the future.');
const scheduled_message_id = path(idOf<ScheduledId>());

const createScheduled = endpoint({
  id: 'create-scheduled-message',
  method: 'POST',
  path: '/scheduled_messages',
  source: 'protocol/saved#scheduled-messages',
  since: 179,
  doc: 'Schedules a message to be sent later.',
  who: everyone,
  params: {
    type,
    to,
    content,
    topic,
    scheduled_delivery_timestamp,
    read_by_sender: optional(json(bool(), 'Whether the sender has read it; by default when a person typed it.')),
  },
  returns: { scheduled_message_id: idOf<ScheduledId>() },
  fails: [errors.NotInFuture, errors.InvalidChannelIdData, TooManyTexts, ...SENDING_ERRORS],
  async run({ actor, params, context, request }) {
    const { id } = await scheduleMessage(context, actor, {
      ...params,
      deliverAt: params.scheduled_delivery_timestamp,
      isReadBySender: params.read_by_sender ?? isInteractive(request.client),
    });
    return { scheduled_message_id: id };
  },
});

const editScheduled = endpoint({
  id: 'update-scheduled-message',
  method: 'PATCH',
  path: '/scheduled_messages/{scheduled_message_id}',
  source: 'protocol/saved#editing-a-scheduled-message',
  since: 184,
  doc: 'Edits a scheduled message of the caller.',
  who: everyone,
  params: {
    scheduled_message_id,
    type: optional(type),
    to: optional(to),
    content: optional(content),
    topic,
    scheduled_delivery_timestamp: optional(scheduled_delivery_timestamp),
  },
  returns: {},
  fails: [
    TooManyTexts,
    errors.NothingToChange,
    errors.RecipientRequired,
    errors.TopicRequired,
    errors.NotInFuture,
    errors.ScheduledMissing,
    errors.AlreadySent,
    errors.InvalidChannelIdData,
    ...SENDING_ERRORS,
  ],
  async run({ actor, params, context }) {
    await updateScheduled(context, actor, { ...params, deliverAt: params.scheduled_delivery_timestamp });
    return {};
  },
});

const getScheduled = endpoint({
  id: 'get-scheduled-messages',
  method: 'GET',
  path: '/scheduled_messages',
  source: 'protocol/saved#scheduled-messages',
  since: 173,
  doc: "The caller's scheduled messages that were not sent yet, failed ones included.",
  who: everyone,
  params: {},
  returns: { scheduled_messages: list(wireScheduled) },
  async run({ actor, context }) {
    const rows = await context.store.as(actor).query((tx) => listScheduled(tx, actor.userId));
    return { scheduled_messages: rows.map(toWireScheduled) };
  },
});

const deleteScheduledEndpoint = endpoint({
  id: 'delete-scheduled-message',
  method: 'DELETE',
  path: '/scheduled_messages/{scheduled_message_id}',
  source: 'protocol/saved#scheduled-messages',
  since: 173,
  doc: 'Deletes a scheduled message of the caller.',
  who: everyone,
  params: { scheduled_message_id },
  returns: {},
  fails: [errors.ScheduledMissing],
  async run({ actor, params, context }) {
    await removeScheduled(context, actor, params.scheduled_message_id);
    return {};
  },
});

export const scheduledEndpoints = [createScheduled, editScheduled, getScheduled, deleteScheduledEndpoint];
