import { defineConfig } from 'vite';
import { viteOptions } from '@comanda/ui/vite-options.ts';

export default defineConfig({ ...viteOptions, base: '/kitchen/' });
