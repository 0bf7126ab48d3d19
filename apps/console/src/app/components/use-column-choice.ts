import { useState } from 'react';
import type { ColumnChoice } from './columns.ts';

const nothingChosen: ColumnChoice = { shown: {}, widths: {} };

/** What the user chose for a table in this browser. */
export function useColumnChoice(table: string) {
  const storageKey = `modelwire-table:${table}`;
  const [choice, setChoice] = useState(() => readChoice(localStorage.getItem(storageKey)));
  const store = (changed: ColumnChoice): void => {
    setChoice(changed);
    localStorage.setItem(storageKey, JSON.stringify(changed));
  };
  return [choice, store] as const;
}

function readChoice(text: string | null): ColumnChoice {
  try {
    const value: unknown = JSON.parse(text ?? 'null');
    return isChoice(value) ? value : nothingChosen;
  } catch {
    return nothingChosen;
  }
}

function isChoice(value: unknown): value is ColumnChoice {
  if (typeof value !== 'object' || value === null || !('shown' in value) || !('widths' in value)) return false;
  const { shown, widths } = value;
  return typeof shown === 'object' && shown !== null && typeof widths === 'object' && widths !== null;
}
