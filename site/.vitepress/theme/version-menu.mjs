import { useData } from 'vitepress';
import { h, onMounted, ref } from 'vue';

/** A menu of the versions in `versions.json`, which is read when a page is shown: released pages list the versions that came later, too. */
export const VersionMenu = {
  setup() {
    const { theme, page } = useData();
    const { siteBase, version } = theme.value;
    const versions = ref([{ version, title: version }]);

    onMounted(async () => {
      const response = await fetch(`${siteBase}versions.json`).catch(() => undefined);
      if (response?.ok) versions.value = await response.json();
    });

    /** Opens the same page of the other version, or its first page if it lacks this one. */
    async function open(chosen) {
      const home = `${siteBase}${chosen}/`;
      const same = `${home}${page.value.relativePath.replace(/(^|\/)index\.md$/, '$1').replace(/\.md$/, '')}`;
      const response = await fetch(same, { method: 'HEAD' }).catch(() => undefined);
      location.assign(response?.ok ? same : home);
    }

    return () =>
      h(
        'select',
        {
          class: 'version-menu',
          'aria-label': 'Version of the documentation',
          onChange: (event) => open(event.target.value),
        },
        versions.value.map((each) =>
          h('option', { value: each.version, selected: each.version === version }, each.title),
        ),
      );
  },
};
