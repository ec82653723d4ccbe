import type { ComponentChildren } from 'preact';
import { Avatar, Button, type Face, Icon } from '../../ui/index.ts';
import { FieldError } from '../../ui/field.tsx';
import { t } from '../../words/deferred.ts';
import { LongRows } from './long-rows.tsx';
import { useSaver } from './saving.tsx';
import { compareNames } from '../../words/index.ts';

interface MemberRowsProps {
  readonly people: readonly Face[];
  /** Removes a person; absent where the viewer may not. */
  readonly onRemove?: ((id: number) => Promise<unknown>) | undefined;
  /** Rows before those of people, such as of groups. */
  readonly before?: ComponentChildren;
}

/** The members of something by name, each with a way to remove them. */
export function MemberRows({ people, onRemove, before }: MemberRowsProps) {
  const sorted = people.toSorted((a, b) => compareNames(a.name, b.name));
  return (
    <>
      {before !== undefined && <ul class="rows">{before}</ul>}
      <LongRows
        rows={sorted}
        keyOf={({ id }) => id}
        draw={(face) => (
          <MemberRow
            key={face.id}
            lead={<Avatar face={face} size={32} />}
            name={face.name}
            remove={onRemove && (() => onRemove(face.id))}
          >
            <b dir="auto">{face.name}</b>
          </MemberRow>
        )}
      />
    </>
  );
}

/** The mark of a group, as wide as a person's picture in the same list. */
export function GroupMark() {
  return (
    <span class="glyph face">
      <Icon name="people" />
    </span>
  );
}

interface MemberRowProps {
  readonly lead: ComponentChildren;
  readonly name: string;
  readonly remove: (() => Promise<unknown>) | undefined;
  readonly children: ComponentChildren;
}

/** A member: a person or a group. */
export function MemberRow({ lead, name, remove, children }: MemberRowProps) {
  const { isBusy, error, save } = useSaver();
  return (
    <li>
      {lead}
      <span class="grow">
        {children}
        {error !== undefined && <FieldError id="member-error" text={error} />}
      </span>
      {remove && (
        <Button small look="ghost" busy={isBusy} label={t('common.remove', { name })} onPress={() => void save(remove)}>
          {t('people.remove')}
        </Button>
      )}
    </li>
  );
}
