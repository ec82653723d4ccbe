import { type At, firstOf, oneOf } from '../field.ts';
import { UnsupportedEvent } from '../faults.ts';
import { integration, type Sample } from '../integration.ts';
import { link, type Markdown, md, time } from '../markdown.ts';
import { noted } from '../words/index.ts';

const board = { name: 'Harbour', url: 'https://trello.example/b/1' };
const data = {
  board: { name: 'Harbour', shortLink: 'b1' },
  card: { name: 'Tar the keel', idShort: 5, shortLink: 'c5' },
  list: { name: 'To do' },
};
const memberCreator = { fullName: 'Mia Member' };
const TYPES = [
  'createCard',
  'updateCard',
  'deleteCard',
  'addMemberToCard',
  'removeMemberFromCard',
  'commentCard',
  'addAttachmentToCard',
  'addChecklistToCard',
  'updateCheckItemStateOnCard',
  'addLabelToCard',
  'removeLabelFromCard',
  'createList',
  'updateList',
  'addMemberToBoard',
  'updateBoard',
  'createCheckItem',
  'updateCheckItem',
  'deleteCheckItem',
  'removeChecklistFromCard',
  'deleteAttachmentFromCard',
  'updateComment',
  'deleteComment',
  'copyCard',
  'moveCardToBoard',
  'moveCardFromBoard',
  'removeMemberFromBoard',
];

function change(at: At): Markdown | undefined {
  const [old, data] = [at('action.data.old'), at('action.data')];
  if (data.at('listBefore').exists)
    return md` from ${data.at('listBefore.name').text} to ${data.at('listAfter.name').text}`;
  if (old.at('name').exists) return md` (it was called ${old.at('name').text})`;
  if (old.at('closed').exists) return md` (${data.at('card.closed').isTrue ? 'archived' : 'taken out of the archive'})`;
  if (old.at('due').exists || data.at('card.due').exists)
    return data.at('card.due').text === '' ? md` (no due date)` : md` (due ${time(data.at('card.due'))})`;
  if (old.at('dueComplete').exists) return data.at('card.dueComplete').isTrue ? md` (done)` : md` (no longer done)`;
  return undefined;
}

/** Describes a change of a card's description. */
function described(at: At, who: Markdown, card: Markdown): Markdown {
  const [before, now] = [at('action.data.old.desc').text, at('action.data.card.desc').text];
  if (now === '') return md`${who} took the description from ${card}.`;
  return noted(md`${who} ${before === '' ? 'described' : 'changed the description of'} ${card}`, now);
}

function said(at: At, type: string): Markdown | undefined {
  const who = at('action.memberCreator.fullName').text || 'Somebody';
  const data = at('action.data');
  const card = data.at('card').exists
    ? link(
        data.at('card.name').text || 'a card',
        data.at('card.shortLink').exists ? `https://trello.com/c/${data.at('card.shortLink').text}` : '',
      )
    : md``;
  const member = firstOf(at('action.member.fullName'), 'somebody');
  switch (type) {
    case 'createCard':
      return md`${who} created ${card} in ${data.at('list.name').text || 'a list'}.`;
    case 'updateCard': {
      // The old description is present, even if empty, exactly if the description changed.
      if (data.at('old.desc').exists) return described(at, md`${who}`, card);
      const what = change(at);
      return what && md`${who} ${data.at('listBefore').exists ? 'moved' : 'changed'} ${card}${what}.`;
    }
    case 'deleteCard':
      return md`${who} deleted the card #${data.at('card.idShort').text}.`;
    case 'addMemberToCard':
      return md`${who} added ${member} to ${card}.`;
    case 'removeMemberFromCard':
      return md`${who} removed ${member} from ${card}.`;
    case 'commentCard':
      return noted(md`${who} commented on ${card}`, data.at('text'));
    case 'addAttachmentToCard':
      return md`${who} attached ${link(data.at('attachment.name').text || 'a file', data.at('attachment.url'))} to ${card}.`;
    case 'addChecklistToCard':
      return md`${who} added the checklist ${data.at('checklist.name')} to ${card}.`;
    case 'createCheckItem':
      return md`${who} added ${data.at('checkItem.name')} to the checklist ${data.at('checklist.name').text} of ${card}.`;
    case 'updateCheckItemStateOnCard':
      return md`${who} ${data.at('checkItem.state').text === 'complete' ? 'checked' : 'unchecked'} ${data.at('checkItem.name')} of ${card}.`;
    case 'addLabelToCard':
      return md`${who} labeled ${card} ${firstOf(data.at('label.name'), data.at('label.color'), data.at('value'), 'without a name')}.`;
    case 'removeLabelFromCard':
      return md`${who} removed the label ${firstOf(data.at('label.name'), data.at('label.color'), data.at('value'), 'without a name')} from ${card}.`;
    case 'updateCheckItem':
      return md`${who} changed ${data.at('checkItem.name')} of ${card}${data.at('old.name').exists ? md` (it was called ${data.at('old.name').text})` : undefined}.`;
    case 'deleteCheckItem':
      return md`${who} removed ${data.at('checkItem.name')} from the checklist ${data.at('checklist.name').text} of ${card}.`;
    case 'removeChecklistFromCard':
      return md`${who} removed the checklist ${data.at('checklist.name')} from ${card}.`;
    case 'deleteAttachmentFromCard':
      return md`${who} removed ${data.at('attachment.name').text || 'a file'} from ${card}.`;
    case 'updateComment':
      return noted(md`${who} edited a comment on ${card}`, firstOf(data.at('action.text'), data.at('text')));
    case 'deleteComment':
      return md`${who} deleted a comment on ${card}.`;
    case 'copyCard':
      return md`${who} copied ${data.at('cardSource.name').text || 'a card'} to ${card} in ${data.at('list.name').text || 'a list'}.`;
    case 'moveCardToBoard':
      return md`${who} moved ${card} here from ${data.at('boardSource.name').text || 'another board'}.`;
    case 'moveCardFromBoard':
      return md`${who} moved ${card} to ${data.at('boardTarget.name').text || 'another board'}.`;
    case 'removeMemberFromBoard':
      return md`${who} removed ${member} from the board ${data.at('board.name').text}.`;
    case 'createList':
      return md`${who} created the list ${data.at('list.name')}.`;
    case 'updateList':
      // A change of position is not shown.
      if (data.at('old.pos').exists) return undefined;
      return md`${who} ${data.at('old.closed').exists ? (data.at('list.closed').isTrue ? 'archived' : 'took out of the archive') : 'changed'} the list ${data.at('list.name')}${data.at('old.name').exists ? md` (it was called ${data.at('old.name').text})` : undefined}.`;
    case 'addMemberToBoard':
      return md`${who} added ${member} to the board ${data.at('board.name').text}.`;
    default:
      return data.at('old.name').exists
        ? md`${who} renamed the board ${data.at('old.name').text} to ${data.at('board.name')}.`
        : undefined;
  }
}

export const trello = integration({
  name: 'trello',
  title: 'Trello',
  category: 'Projects',
  setUp: 'Make a webhook by the API of Trello, with the address as callbackURL and the ID of the board as idModel.',
  events: TYPES,
  read: (at) => {
    const event = at('action.type').need;
    if (!TYPES.includes(event)) throw new UnsupportedEvent(event);
    const content = said(at, event);
    return content && { event, topic: oneOf(at('model.name'), at('action.data.board.name')), content };
  },
  samples: [
    ...TYPES.map(
      (type): Sample => ({
        of: `On a board: ${type}`,
        json: {
          model: board,
          action: {
            type,
            memberCreator,
            member: { fullName: 'Max Member' },
            data: {
              ...data,
              ...(type === 'updateCard' && { listBefore: { name: 'To do' }, listAfter: { name: 'Done' } }),
              ...(type === 'updateBoard' && { old: { name: 'Quay' } }),
              ...(type === 'updateList' && { old: { name: 'Later' } }),
              text: 'Tar helps.',
              attachment: { name: 'plan.pdf', url: 'https://trello.example/plan.pdf' },
              checklist: { name: 'Tools' },
              checkItem: { name: 'Brush', state: 'complete' },
              label: { name: 'urgent', color: 'red' },
              action: { id: 'a1', text: 'Tar helps a lot.' },
              cardSource: { name: 'Tar', idShort: 4 },
              boardSource: { name: 'Quay' },
              boardTarget: { name: 'Shipyard' },
            },
          },
        },
      }),
    ),
    ...[
      ['A card is described', '', 'Below the bench.'],
      ['The description of a card changes', 'Above the bench.', 'Below the bench.'],
      ['A description is taken away', 'Below the bench.', ''],
    ].map(([of = '', before, desc]) => ({
      of,
      json: {
        model: board,
        action: {
          type: 'updateCard',
          memberCreator,
          data: { ...data, card: { ...data.card, desc }, old: { desc: before } },
        },
      },
    })),
    {
      of: 'A label without a name',
      json: {
        model: board,
        action: {
          type: 'addLabelToCard',
          memberCreator,
          data: { ...data, label: { id: 'l1', color: 'green', name: '' }, text: '', value: 'green' },
        },
      },
    },
    {
      of: 'A list is archived',
      json: {
        model: board,
        action: {
          type: 'updateList',
          memberCreator,
          data: { board: data.board, list: { name: 'To do', closed: true }, old: { closed: false } },
        },
      },
    },
    {
      of: 'A card gets a due date',
      json: {
        model: board,
        action: {
          type: 'updateCard',
          memberCreator,
          data: { ...data, card: { ...data.card, due: '2026-12-01T10:00:00.000Z' }, old: { due: null } },
        },
      },
    },
  ],
});
