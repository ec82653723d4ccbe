import type { ComponentChildren, JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useClient } from '../../../client/index.ts';
import { Button } from '../../../ui/index.ts';
import { t } from '../../../words/deferred.ts';
import { adminsOnly, FormDialog, ListTools, OrderButtons, Removal } from '../list-page.tsx';

/** Prefix of the keys of a list's texts. */
type Words = 'fields' | 'folders' | 'linkifiers';

interface OrderedListProps<Item extends { readonly id: number }> {
  readonly words: Words;
  readonly items: readonly Item[];
  readonly nameOf: (item: Item) => string;
  /** What stands above the list. */
  readonly before?: ComponentChildren;
  /** Draws a row before its buttons. */
  readonly row: (item: Item) => ComponentChildren;
  readonly onOrder: (ids: readonly number[]) => Promise<unknown>;
  readonly removal: (item: Item) => Omit<Parameters<typeof Removal>[0], 'name'>;
  readonly Dialog: (props: ItemDialogProps<Item>) => JSX.Element;
}

/** Properties of the dialog that changes an item, or adds one. */
export interface ItemDialogProps<Item> {
  readonly known: Item | undefined;
  readonly onClose: () => void;
}

/** A list that administrators can add to, change and reorder. */
export function OrderedList<Item extends { readonly id: number }>(props: OrderedListProps<Item>) {
  const { words, items, nameOf, before, row, onOrder, removal, Dialog } = props;
  const [open, setOpen] = useState<Item | 'new' | undefined>();
  const refusal = adminsOnly(useClient().model.facts.get('is_admin'));
  const ids = items.map(({ id }) => Number(id));
  const buttons = (one: Item) => (
    <span class="row-end">
      <OrderButtons name={nameOf(one)} ids={ids} id={one.id} onOrder={onOrder} />
      <Button small look="ghost" label={t('list.editName', { name: nameOf(one) })} onPress={() => setOpen(one)}>
        {t('list.edit')}
      </Button>
      <Removal name={nameOf(one)} {...removal(one)} />
    </span>
  );
  return (
    <>
      <ListTools lede={t(`${words}.lede`)} add={t(`${words}.add`)} refusal={refusal} onAdd={() => setOpen('new')} />
      {before}
      {items.length === 0 && <p class="hint">{t(`${words}.none`)}</p>}
      <ul class={items.length > 0 ? 'rows wide' : undefined}>
        {items.map((one) => (
          <li key={one.id}>
            {row(one)}
            {refusal === undefined && buttons(one)}
          </li>
        ))}
      </ul>
      {open !== undefined && <Dialog known={open === 'new' ? undefined : open} onClose={() => setOpen(undefined)} />}
    </>
  );
}

interface ItemFormProps extends Omit<Parameters<typeof FormDialog>[0], 'title' | 'way'> {
  readonly words: Words;
  readonly isNew: boolean;
}

/** The fields of an item, in a dialog that changes or adds it. */
export function ItemForm({ words, isNew, ...form }: ItemFormProps) {
  return isNew ? (
    <FormDialog {...form} title={t(`${words}.add`)} />
  ) : (
    <FormDialog {...form} title={t(`${words}.change`)} way={t('list.save')} />
  );
}
