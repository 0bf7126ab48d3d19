import { SegmentedControl, useMantineColorScheme } from '@mantine/core';

const schemes = [
  { value: 'auto', label: 'Auto' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
] as const;

export function ThemeSelect() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <SegmentedControl fullWidth aria-label="Theme" data={[...schemes]} value={colorScheme} onChange={setColorScheme} />
  );
}
