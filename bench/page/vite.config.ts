/**
 * The bench's page, apart from the site: it holds other libraries, which no visitor is to download.
 */
import { defineConfig } from 'vite'

export default defineConfig({
  root: import.meta.dirname,
  base: './',
  worker: { format: 'es', rolldownOptions: { checks: { bundlerTimings: false } } },
  build: {
    target: 'es2023',
    outDir: '../../dist-bench',
    emptyOutDir: true,
    // The libraries' WebAssembly is a file of its own, never a data URL.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 4096,
    rolldownOptions: { checks: { bundlerTimings: false } },
  },
})
