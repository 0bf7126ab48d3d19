import { defineConfig } from 'vitepress';
import { packagePages, readIndex, repository } from '../pages.mjs';

// build.mjs sets them.
const { SITE_BASE, SITE_VERSION } = process.env;
const base = `${SITE_BASE}${SITE_VERSION}/`;
const groups = readIndex().map(({ title, links }) => ({
  text: title,
  collapsed: title === 'Decisions' || title === 'Contribute',
  items: links.map(({ title, page }) => ({ text: title, link: `/${page}` })),
}));
const packages = {
  text: 'Packages',
  collapsed: true,
  items: packagePages.map((page) => ({ text: page.slice('packages/'.length, -'.md'.length), link: `/${page}` })),
};

/** As GitHub makes them of headings, so that links to headings work in both places. */
const slugify = (title) =>
  title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');

/** Code is text: braces in it are no expressions of Vue. */
function withoutExpressions({ renderer: { rules } }) {
  const render = rules.code_inline;
  rules.code_inline = (tokens, index, ...rest) => {
    tokens[index].attrSet('v-pre', '');
    return render(tokens, index, ...rest);
  };
}

export default defineConfig({
  base,
  srcDir: '.pages',
  outDir: `dist/${SITE_VERSION}`,
  title: 'Modelwire',
  description: 'The OpenAI API in front of any model, on your own machine',
  lang: 'en',
  cleanUrls: true,
  head: [['link', { rel: 'icon', type: 'image/svg+xml', href: `${base}docs/images/mark.svg` }]],
  // The API reference is not a page of VitePress, and a server on the reader's machine is no dead link.
  ignoreDeadLinks: [/^https?:\/\/(?:localhost|127\.0\.0\.1)/],
  markdown: { anchor: { slugify }, config: withoutExpressions, theme: { light: 'github-light', dark: 'github-dark' } },
  themeConfig: {
    logo: '/docs/images/mark.svg',
    search: { provider: 'local' },
    outline: { level: [2, 3] },
    nav: [
      { text: 'Get started', link: '/getting-started' },
      { text: 'Guides', link: '/guides/in-front-of-a-model-server', activeMatch: '/guides/' },
      { text: 'Operate', link: '/operations/', activeMatch: '/operations/' },
      { text: 'Configuration', link: '/configuration' },
      { text: 'API', link: '/docs/', target: '_self' },
      { component: 'VersionMenu' },
    ],
    sidebar: [...groups, packages],
    socialLinks: [{ icon: 'github', link: repository }],
    repository,
    siteBase: SITE_BASE,
    version: SITE_VERSION,
  },
});
