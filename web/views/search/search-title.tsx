import { hashOf } from '../../addresses/index.ts';
import { useClient } from '../../client/index.ts';
import type { Narrow } from '../../messages/index.ts';
import { Chip } from '../../ui/index.ts';
import { t } from '../../words/index.ts';
import { operandName } from './names.ts';
import { termText } from './parse.ts';

/** The conditions of a search, each with a button that removes it. */
export function SearchChips({ narrow }: { readonly narrow: Narrow }) {
  const client = useClient();
  return (
    <div class="chips">
      {narrow.map((term, index) => {
        if (term.operand === '') return null;
        const text = termText(term, (operator, operand) => operandName(client, operator, operand));
        const rest = narrow.filter((_one, at) => at !== index);
        const onRemove = () => (location.hash = hashOf({ view: 'narrow', narrow: rest }, client.names));
        return (
          <Chip key={text} removal={{ label: t('common.remove', { name: text }), onRemove }}>
            {text}
          </Chip>
        );
      })}
    </div>
  );
}
