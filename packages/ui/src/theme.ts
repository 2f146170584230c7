import { computed, effect, signal } from '@preact/signals';
import { readSetting, writeSetting } from './stored-setting.ts';

export type Theme = 'light' | 'dark';

const isTheme = (value: string | null): value is Theme => value === 'light' || value === 'dark';
const systemIsDark = matchMedia('(prefers-color-scheme: dark)');
const systemTheme = signal<Theme>(systemIsDark.matches ? 'dark' : 'light');
const stored = readSetting('theme');
const chosenTheme = signal<Theme | null>(isTheme(stored) ? stored : null);

/** The page's theme, as selected on this device. By default, the system's theme. */
export const theme = computed<Theme>(() => chosenTheme.value ?? systemTheme.value);

export function chooseTheme(chosen: Theme): void {
  chosenTheme.value = chosen;
  writeSetting('theme', chosen);
}

/** Applies the theme to the page, and follows changes of the system's theme. Call it once when the app starts. */
export function applyTheme(): void {
  systemIsDark.addEventListener('change', ({ matches }) => {
    systemTheme.value = matches ? 'dark' : 'light';
  });
  effect(() => {
    document.documentElement.dataset['theme'] = theme.value;
  });
}
