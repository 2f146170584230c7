import { computed, effect, signal } from '@preact/signals';
import { onDevice } from './on-device.ts';

export type Theme = 'light' | 'dark';

const systemTheme = signal<Theme>('light');

/** The page's theme, as selected on this device. By default, the system's theme. */
export const theme = computed<Theme>(() => onDevice.theme.signal.value ?? systemTheme.value);
export const chooseTheme = (chosen: Theme): void => onDevice.theme.write(chosen);

/** Applies the theme to the page, and follows changes of the system's theme. Call it once when the app starts. */
export function applyTheme(): void {
  const systemIsDark = matchMedia('(prefers-color-scheme: dark)');
  const follow = (): void => {
    systemTheme.value = systemIsDark.matches ? 'dark' : 'light';
  };
  systemIsDark.addEventListener('change', follow);
  follow();
  effect(() => {
    document.documentElement.dataset['theme'] = theme.value;
  });
}
