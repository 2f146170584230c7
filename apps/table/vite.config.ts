import { defineConfig } from 'vite';
import { viteOptions } from '@comanda/ui/vite-options.ts';

// oxlint-disable-next-line import/no-default-export -- Vite asks for it
export default defineConfig({ ...viteOptions, base: '/' });
