export type Theme = 'system' | 'light' | 'dark';

const storageKey = 'modelwire-theme';

/** The theme that the user selected in this browser. */
export function storedTheme(): Theme {
  const value = localStorage.getItem(storageKey);
  return value === 'light' || value === 'dark' ? value : 'system';
}

/** Applies a theme. `system` follows the operating system. */
export function applyTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
}

export function storeTheme(theme: Theme): void {
  localStorage.setItem(storageKey, theme);
  applyTheme(theme);
}
