import { SelectField } from './select-field.tsx';

type Order = 'asc' | 'desc';

export function OrderField({ value, onChange }: { readonly value: Order; readonly onChange: (order: Order) => void }) {
  const options = [
    { value: 'desc', label: 'Newest first' },
    { value: 'asc', label: 'Oldest first' },
  ] as const;
  return <SelectField label="Order" options={options} value={value} onChange={onChange} />;
}
