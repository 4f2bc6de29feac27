import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { highlightedSource } from './vite/highlight'
import { lessonIndex } from './vite/lesson-index'
import { filesOfWords } from './vite/words-md'
import { licences } from './vite/licences'

/** Cross-origin isolation: performance.now() then steps by 5 µs instead of 100 µs. The lab works without it, and says so. */
const isolation = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
}

export default defineConfig({
  base: './', // dist/ works from any sub-path
  plugins: [highlightedSource(), filesOfWords(), lessonIndex(), licences(), react()],
  worker: { format: 'es' },
  server: { headers: isolation },
  preview: { headers: isolation },
  build: {
    target: 'es2023',
    rolldownOptions: { input: ['index.html', 'perfetto.html'] },
  },
})
