import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { firstPaint } from './vite/first-paint'
import { highlightedSource } from './vite/highlight'
import { hostHeaders, ISOLATION } from './vite/host-headers'
import { lessonIndex } from './vite/lesson-index'
import { questionIndex } from './vite/question-index'
import { filesOfWords } from './vite/words-md'
import { licences } from './vite/licences'
import { recordings } from './vite/recordings'

/** What the source needs to be read at all. */
const reading = () => [
  highlightedSource(),
  filesOfWords(),
  lessonIndex(),
  questionIndex(),
  recordings(),
  react(),
]

const headers = hostHeaders()

/** 'https://example.org/lab/', with a slash at its end. */
const siteUrl = process.env['LAB_SITE_URL']?.replace(/\/*$/, '/') ?? null

export default defineConfig({
  base: './', // dist/ works from any sub-path
  plugins: [...reading(), licences(), firstPaint(reading, siteUrl), headers.plugin],
  worker: { format: 'es', plugins: () => [filesOfWords(), headers.ofWorkers()] }, // it judges its runs
  server: { headers: ISOLATION },
  preview: { headers: ISOLATION },
  build: {
    target: 'es2023',
    rolldownOptions: { input: ['index.html', 'perfetto.html'] },
  },
})
