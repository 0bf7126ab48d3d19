import { useState } from 'react';
import { storedTheme, storeTheme } from './theme.ts';
import type { Theme } from './theme.ts';

const themes: readonly Theme[] = ['system', 'light', 'dark'];
const labels: Readonly<Record<Theme, string>> = { system: 'System', light: 'Light', dark: 'Dark' };

export function ThemeSelect() {
  const [theme, setTheme] = useState(storedTheme);
  const choose = (value: string): void => {
    const chosen = themes.find((one) => one === value) ?? 'system';
    setTheme(chosen);
    storeTheme(chosen);
  };
  return (
    <label className="field">
      Theme
      <select value={theme} onChange={(event) => choose(event.target.value)}>
        {themes.map((one) => (
          <option key={one} value={one}>
            {labels[one]}
          </option>
        ))}
      </select>
    </label>
  );
}
