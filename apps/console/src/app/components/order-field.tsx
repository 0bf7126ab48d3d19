type Order = 'asc' | 'desc';

export function OrderField({ value, onChange }: { readonly value: Order; readonly onChange: (order: Order) => void }) {
  return (
    <label className="field">
      Order
      <select value={value} onChange={(event) => onChange(event.target.value === 'asc' ? 'asc' : 'desc')}>
        <option value="desc">Newest first</option>
        <option value="asc">Oldest first</option>
      </select>
    </label>
  );
}
