import { useRef, useState } from 'preact/hooks';
import { useClient } from '../../../client/index.ts';
import type { RegisterState } from '../../../model/index.ts';
import { Field, TextInput } from '../../../ui/field.tsx';
import { t } from '../../../words/deferred.ts';
import { useAnswer } from '../../answer.ts';
import { RenderedBody } from '../../rendered-body.tsx';
import { useTyped } from '../../typed.tsx';
import { FormField } from '../form-field.tsx';
import { type ItemDialogProps, ItemForm, OrderedList } from './ordered-list.tsx';

type Linkifier = RegisterState['realm_linkifiers'][number];

/** Most characters of a text that is tried out. */
const MAX_TRIED = 500;
/** Milliseconds without a key press after which it is shown. */
const TYPING_MS = 300;

/** Patterns that become links in messages, in the order in which they are applied. */
export function LinkifiersPage() {
  const { api, model } = useClient();
  return (
    <OrderedList
      words="linkifiers"
      before={<TryOut />}
      items={model.facts.get('realm_linkifiers') ?? []}
      nameOf={({ pattern }) => pattern}
      row={({ pattern, url_template }) => (
        <span class="grow">
          <b>
            <code dir="ltr">{pattern}</code>
          </b>
          <small dir="ltr">{url_template}</small>
        </span>
      )}
      onOrder={(ordered_linkifier_ids) => api.callAny('PATCH', '/realm/linkifiers', { ordered_linkifier_ids })}
      removal={({ id }) => ({
        hint: t('linkifiers.removeHint'),
        onRemove: () => api.call('DELETE', '/realm/filters/{linkifier_id}', { linkifier_id: id }),
      })}
      Dialog={LinkifierDialog}
    />
  );
}

/** Shows what the server makes of a text, by the linkifiers in their order. */
function TryOut() {
  const { api, clock, model } = useClient();
  const [text, setText] = useState('');
  const newest = useRef(text);
  newest.current = text;
  const ask = async () => {
    if (text.trim() === '') return '';
    await clock.sleep(TYPING_MS);
    if (newest.current !== text) return '';
    const { rendered } = await api.callAny('POST', '/messages/render', { content: text });
    return typeof rendered === 'string' ? rendered : undefined;
  };
  const { found = '', failure } = useAnswer(ask, [text, model.facts.get('realm_linkifiers')]);
  return (
    <div class="stack-v try-out">
      <Field label={t('linkifiers.try')} hint={t('linkifiers.tryHint')} error={failure}>
        {(names) => <TextInput {...names} value={text} maxLength={MAX_TRIED} autocomplete="off" onText={setText} />}
      </Field>
      <div class="body" role="status">
        {found !== '' && <RenderedBody html={found} />}
      </div>
    </div>
  );
}

function LinkifierDialog({ known, onClose }: ItemDialogProps<Linkifier>) {
  const { api } = useClient();
  const form = `linkifier-${known?.id ?? 'new'}`;
  const [pattern, setPattern] = useTyped(form, 'pattern', known?.pattern ?? '');
  const [url_template, setTemplate] = useTyped(form, 'url_template', known?.url_template ?? '');
  const [example_input, setExample] = useTyped(form, 'example_input', known?.example_input ?? '');
  const fields = { pattern, url_template, example_input };
  const send = () =>
    known
      ? api.call('PATCH', '/realm/filters/{linkifier_id}', { linkifier_id: known.id, ...fields })
      : api.call('POST', '/realm/filters', fields);
  return (
    <ItemForm words="linkifiers" isNew={known === undefined} form={form} onSend={send} onClose={onClose}>
      <FormField
        of="pattern"
        words={/^Bad regular|already exists/}
        label={t('linkifiers.pattern')}
        hint={t('linkifiers.patternHint')}
      >
        {(names) => <TextInput {...names} class="input mono" dir="ltr" required value={pattern} onText={setPattern} />}
      </FormField>
      <FormField
        of="url_template"
        words={/^Group/}
        label={t('linkifiers.template')}
        hint={t('linkifiers.templateHint', { id: '{id}' })}
      >
        {(names) => (
          <TextInput {...names} class="input mono" dir="ltr" required value={url_template} onText={setTemplate} />
        )}
      </FormField>
      <FormField
        of="example_input"
        words={/^Example/}
        label={t('linkifiers.example')}
        hint={t('linkifiers.exampleHint')}
      >
        {(names) => <TextInput {...names} class="input mono" dir="ltr" value={example_input} onText={setExample} />}
      </FormField>
    </ItemForm>
  );
}
