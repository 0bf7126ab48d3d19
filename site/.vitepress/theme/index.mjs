import { useData, withBase } from 'vitepress';
import DefaultTheme from 'vitepress/theme';
import { h } from 'vue';
import { VersionMenu } from './version-menu.mjs';
import './version-menu.css';

/** Links to the Markdown of a page and to its source. */
function SourceLinks() {
  const { page, frontmatter, theme } = useData();
  const { source } = frontmatter.value;
  if (source === undefined) return null;
  return h('p', { style: 'padding: 16px 0; font-size: 13px; display: grid; gap: 8px' }, [
    h('a', { href: withBase(`/${page.value.relativePath}`), target: '_self' }, 'View as Markdown'),
    h('a', { href: `${theme.value.repository}/edit/main/${source}` }, 'Edit on GitHub'),
  ]);
}

export default {
  extends: DefaultTheme,
  enhanceApp: ({ app }) => void app.component('VersionMenu', VersionMenu),
  Layout: () => h(DefaultTheme.Layout, null, { 'aside-outline-after': () => h(SourceLinks) }),
};
