import { useState } from 'react';
import { storedTheme, storeTheme } from './theme.ts';
import type { Theme } from './theme.ts';

const themes: readonly Theme[] = ['system', 'light', 'dark'];
const labels: Readonly<Record<Theme, string>> = { system: 'System', light: 'Light', dark: 'Dark' };

export function ThemeSelect() {
  const [theme, setTheme] = useState(storedTheme);
  const selectTheme = (value: string): void => {
    const selected = themes.find((theme) => theme === value) ?? 'system';
    setTheme(selected);
    storeTheme(selected);
  };
  return (
    <label className="field">
      Theme
      <select value={theme} onChange={(event) => selectTheme(event.target.value)}>
        {themes.map((option) => (
          <option key={option} value={option}>
            {labels[option]}
          </option>
        ))}
      </select>
    </label>
  );
}
