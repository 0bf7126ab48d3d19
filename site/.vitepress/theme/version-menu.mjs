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
    async function open(home) {
      const same = `${home}${page.value.relativePath.replace(/(^|\/)index\.md$/, '$1').replace(/\.md$/, '')}`;
      const response = await fetch(same, { method: 'HEAD' }).catch(() => undefined);
      location.assign(response?.ok ? same : home);
    }

    function link(other) {
      const href = `${siteBase}${other.version}/`;
      const onClick = (event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        void open(href);
      };
      const current = other.version === version ? 'true' : undefined;
      return h('li', h('a', { href, target: '_self', 'aria-current': current, onClick }, other.title));
    }

    return () =>
      h('details', { class: 'version-menu' }, [
        h(
          'summary',
          { 'aria-label': 'Version of the documentation' },
          versions.value.find((each) => each.version === version)?.title ?? version,
        ),
        h('ul', versions.value.map(link)),
      ]);
  },
};
