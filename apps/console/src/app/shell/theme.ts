export type Theme = 'system' | 'light' | 'dark';

const name = 'modelwire-theme';

/** The theme that the user chose in this browser. */
export function storedTheme(): Theme {
  const value = localStorage.getItem(name);
  return value === 'light' || value === 'dark' ? value : 'system';
}

/** Applies a theme. `system` follows the operating system. */
export function applyTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
}

export function storeTheme(theme: Theme): void {
  localStorage.setItem(name, theme);
  applyTheme(theme);
}
