import { integration } from '../integration.ts';
import { facts, md, paragraphs, quote } from '../markdown.ts';
import { asWords, links, mark } from '../words/index.ts';

export const wekan = integration({
  name: 'wekan',
  title: 'Wekan',
  category: 'Projects',
  setUp: 'On the board open Board Settings, Outgoing Webhooks, and paste the address.',
  read: (at) => {
    const [text = '', ...rest] = at('text').need.split(/\n(?=https?:)/);
    const url = rest[0]?.trim() ?? '';
    const action = at('description').text.replace(/^act-/, '');
    return {
      topic: at('board').text || (/ board "([^"\n]+)"/.exec(text)?.[1] ?? 'Wekan'),
      content: paragraphs(
        md`${mark('note')} ${text}`,
        links({ Card: url }),
        facts({ Action: asWords(action), Card: at('card'), List: at('list'), By: at('user') }),
        quote(at('comment')),
      ),
    };
  },
  samples: [
    {
      of: 'A card is created',
      json: {
        text: 'mia created card "Tar the keel" to list "To do" at board "Boats"\nhttps://wekan.ferry.example/b/1/boats/c5',
        card: 'Tar the keel',
        list: 'To do',
        board: 'Boats',
        user: 'mia',
        description: 'act-createCard',
      },
    },
    {
      of: 'A card is commented on',
      json: {
        text: 'mia commented on card "Tar the keel"\nhttps://wekan.ferry.example/b/1/boats/c5',
        board: 'Boats',
        comment: 'Tar helps.',
        user: 'mia',
        description: 'act-addComment',
      },
    },
    {
      of: 'A card is commented on, as newer versions tell it',
      json: {
        text: 'mia commented on card "Tar the keel": "Tar helps." at list "To do" at swimlane "Default" at board "Boats"\nhttps://wekan.ferry.example/b/1/boats/c5',
        cardId: 'c5',
        boardId: '1',
        comment: 'Tar helps.',
        user: 'mia',
        card: 'Tar the keel',
        commentId: 'm1',
        description: 'act-addComment',
      },
    },
  ],
});
