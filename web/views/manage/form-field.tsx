import { type ComponentProps, createContext } from 'preact';
import { useContext, useLayoutEffect } from 'preact/hooks';
import { Field } from '../../ui/field.tsx';

/** What a form shares with its fields. */
interface FieldsOfForm {
  readonly fields: Map<string, RegExp | undefined>;
  /** The parameter whose field the server's sentence is about. */
  readonly meant: string | undefined;
  readonly error: string | undefined;
}

const Form = createContext<FieldsOfForm | undefined>(undefined);
export const FieldsProvider = Form.Provider;

interface FormFieldProps extends ComponentProps<typeof Field> {
  /** The parameter that it fills, which is also the name under which the typed value is stored. */
  readonly of: string;
  /** Words of the server's sentences about it that name no parameter. */
  readonly words?: RegExp;
}

/** A field of a dialog, which shows the server's error about it. */
export function FormField({ of, words, ...field }: FormFieldProps) {
  const form = useContext(Form);
  useLayoutEffect(() => {
    form?.fields.set(of, words);
    return () => void form?.fields.delete(of);
  }, [form?.fields, of, words]);
  return <Field {...field} error={form?.meant === of ? form.error : undefined} />;
}
