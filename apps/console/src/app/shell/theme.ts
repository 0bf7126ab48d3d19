import { createTheme, localStorageColorSchemeManager } from '@mantine/core';

const input = {
  size: 'xs',
  withAsterisk: false,
  inputWrapperOrder: ['label', 'input', 'description', 'error'],
} as const;
// Locking the scroll position of the page adds an inline style, which the content security policy blocks.
const overlay = { lockScroll: false, transitionProps: { duration: 120 } } as const;

/** Default properties of the components. Colors, sizes and the type face are variables in styles.css. */
export const theme = createTheme({
  primaryColor: 'indigo',
  respectReducedMotion: true,
  components: {
    Button: { defaultProps: { variant: 'default', size: 'xs' } },
    TextInput: { defaultProps: input },
    NativeSelect: { defaultProps: input },
    Textarea: { defaultProps: input },
    Checkbox: { defaultProps: { size: 'xs' } },
    SegmentedControl: { defaultProps: { size: 'xs', withItemsBorders: false } },
    Modal: { defaultProps: { ...overlay, centered: true, size: 'lg' } },
    Drawer: { defaultProps: { ...overlay, position: 'right', size: 'md' } },
  },
});

/** The color scheme that the user selected in this browser; `auto` follows the operating system. */
export const colorSchemes = localStorageColorSchemeManager({ key: 'modelwire-theme' });
