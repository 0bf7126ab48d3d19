import { TextInput } from '@mantine/core';

interface Props {
  readonly label: string;
  readonly placeholder: string;
  readonly value: string;
  readonly isInvalid?: boolean;
  /** ID of the list of suggestions among the children. */
  readonly list?: string;
  readonly onFocus?: () => void;
  readonly onInput?: React.InputEventHandler<HTMLInputElement>;
  readonly onEnter: (value: string) => void;
  readonly children?: React.ReactNode;
}

/** A text that applies when Enter is pressed. */
export function EnteredField({ value, isInvalid = false, onEnter, children, ...field }: Props) {
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        const entered = new FormData(event.currentTarget).get('entered');
        onEnter(typeof entered === 'string' ? entered.trim() : '');
      }}
    >
      <TextInput {...field} autoComplete="off" name="entered" key={value} defaultValue={value} error={isInvalid} />
      {children}
    </form>
  );
}
