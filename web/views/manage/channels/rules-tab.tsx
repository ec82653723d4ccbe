import { useState } from 'preact/hooks';
import { type Client, useClient } from '../../../client/index.ts';
import { Avatar } from '../../../ui/index.ts';
import { Field, Select, TextInput } from '../../../ui/field.tsx';
import { t } from '../../../words/deferred.ts';
import { useAnswer } from '../../answer.ts';
import { faceOf } from '../../shown.ts';
import { useTyped } from '../../typed.tsx';
import { Awaited } from '../awaited.tsx';
import { FormField } from '../form-field.tsx';
import { FormDialog, ListTools, Removal } from '../list-page.tsx';
import type { ChannelTabProps } from './one-channel.tsx';
import { compareNames } from '../../../words/index.ts';

/** Type of the bots that a rule can call. */
const OUTGOING = 3;
/** Choice of an address for which a bot is created. */
const NEW = '';

type Rule = Awaited<ReturnType<typeof fetchRules>>[number];

async function fetchRules({ api }: Client, stream_id: number) {
  return (await api.call('GET', '/streams/{stream_id}/rules', { stream_id })).channel_rules;
}

/** The rules of a channel: which messages call which bot. */
export function RulesTab({ id, fixedBy }: ChannelTabProps) {
  const client = useClient();
  const [isAdding, setAdding] = useState(false);
  const answer = useAnswer(() => fetchRules(client, id), [client, id]);
  const { found: rules, failure, again: look } = answer;
  const bots = ownBots(client);
  if (failure !== undefined || !rules) return <Awaited id="rules-error" answer={answer} count={2} />;
  return (
    <>
      <ListTools lede={t('rules.lede')} add={t('rules.add')} refusal={fixedBy} onAdd={() => setAdding(true)} />
      {rules.length === 0 && <p class="hint">{t('rules.none')}</p>}
      <ul class={rules.length > 0 ? 'rows wide' : undefined}>
        {rules.map((rule) => (
          <RuleRow key={rule.id} rule={rule} mayRemove={fixedBy === undefined} onRemoved={look} />
        ))}
      </ul>
      {isAdding && <AddRule id={id} bots={bots} onDone={look} onClose={() => setAdding(false)} />}
    </>
  );
}

/** Lists the reader's bots whose address a rule can call. */
function ownBots({ model }: Client): readonly { readonly value: string; readonly label: string }[] {
  return [...model.people.table.all]
    .filter(([, { user, isActive }]) => isActive && user.bot_type === OUTGOING && user.bot_owner_id === model.me)
    .map(([id, { user }]) => ({ value: String(id), label: user.full_name }))
    .toSorted((a, b) => compareNames(a.label, b.label));
}

interface RuleRowProps {
  readonly rule: Rule;
  readonly mayRemove: boolean;
  readonly onRemoved: () => Promise<unknown>;
}

function RuleRow({ rule: { id, stream_id, bot_id, words, pattern }, mayRemove, onRemoved }: RuleRowProps) {
  const client = useClient();
  const face = faceOf(client, bot_id);
  const remove = () => client.api.call('DELETE', '/streams/{stream_id}/rules/{rule_id}', { stream_id, rule_id: id });
  return (
    <li>
      <Avatar face={face} size={32} />
      <span class="grow">
        <b dir="auto">{face.name}</b>
        <small dir="auto">
          {pattern === null ? t('rules.words', { words: words.join(', ') }) : t('rules.pattern', { pattern })}
        </small>
      </span>
      {mayRemove && (
        <span class="row-end">
          <Removal
            name={pattern ?? words.join(', ')}
            hint={t('rules.removeHint', { name: face.name })}
            onRemove={() => remove().then(onRemoved)}
          />
        </span>
      )}
    </li>
  );
}

/** Creates a bot that calls an address; returns its ID. */
async function addBot(api: Client['api'], full_name: string, payload_url: string): Promise<number> {
  const readable = full_name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
  const short_name = `${readable}-${crypto.getRandomValues(new Uint32Array(1)).join('')}`.slice(-60);
  const { user_id } = await api.call('POST', '/bots', { full_name, short_name, bot_type: OUTGOING, payload_url });
  return user_id;
}

interface AddRuleProps {
  readonly id: number;
  readonly bots: readonly { readonly value: string; readonly label: string }[];
  readonly onDone: () => Promise<unknown>;
  readonly onClose: () => void;
}

/** A dialog that adds a rule, by words or by a pattern. */
function AddRule({ id, bots, onDone, onClose }: AddRuleProps) {
  const { api } = useClient();
  const form = `rule-${id}`;
  const [bot, setBot] = useTyped(form, 'bot', bots[0]?.value ?? NEW);
  const [name, setName] = useTyped(form, 'full_name', '');
  const [address, setAddress] = useTyped(form, 'payload_url', '');
  const [by, setBy] = useTyped(form, 'by', 'words');
  const [text, setText] = useTyped(form, 'text', '');
  const newBot = { value: NEW, label: t('rules.newAddress') };
  const isByWords = by === 'words';
  const words = text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
  const send = async () => {
    const bot_id = bot === NEW ? await addBot(api, name, address) : Number(bot);
    // If the rule is refused, the bot exists already: the next attempt uses it.
    setBot(String(bot_id));
    const wanted = isByWords ? { words } : { pattern: text };
    await api.call('POST', '/streams/{stream_id}/rules', { stream_id: id, bot_id, ...wanted });
    await onDone();
  };
  return (
    <FormDialog title={t('rules.add')} form={form} onSend={send} onClose={onClose}>
      <Field label={t('rules.bot')} hint={t('rules.botHint')}>
        {(names) => <Select {...names} value={bot} options={[...bots, newBot]} onChange={setBot} />}
      </Field>
      {bot === NEW && (
        <>
          <FormField of="payload_url" words={/URL|address/i} label={t('rules.address')} hint={t('rules.addressHint')}>
            {(names) => (
              <TextInput {...names} dir="ltr" value={address} required maxLength={2000} onText={setAddress} />
            )}
          </FormField>
          <FormField of="full_name" words={/name/i} label={t('rules.name')} hint={t('rules.nameHint')}>
            {(names) => <TextInput {...names} value={name} required maxLength={100} onText={setName} />}
          </FormField>
        </>
      )}
      <Field label={t('rules.by')}>
        {(names) => (
          <Select
            {...names}
            value={by}
            options={(['words', 'pattern'] as const).map((value) => ({ value, label: t(`rules.by.${value}`) }))}
            onChange={setBy}
          />
        )}
      </Field>
      <FormField
        of={isByWords ? 'words' : 'pattern'}
        label={t(`rules.by.${isByWords ? 'words' : 'pattern'}`)}
        hint={t(isByWords ? 'rules.wordsHint' : 'rules.patternHint')}
      >
        {(names) => <TextInput {...names} value={text} required maxLength={1000} onText={setText} />}
      </FormField>
    </FormDialog>
  );
}
