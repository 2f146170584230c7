import { defineConfig } from 'vite';
import { viteOptions } from '@comanda/ui/vite-options.ts';

// What the first page needs is one file: a second one is compressed apart, and is one more request.
const firstLoad = { name: 'app', tags: ['$initial' as const] };

export default defineConfig({
  ...viteOptions,
  base: '/',
  build: { ...viteOptions.build, rolldownOptions: { output: { codeSplitting: { groups: [firstLoad] } } } },
});
