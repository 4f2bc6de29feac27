/**
 * Unit tests: Node, no browser, no GPU. Time zone and locale are pinned, so that text tests mean
 * the same everywhere.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { defineConfig, mergeConfig } from 'vitest/config'
import site from './vite.config'

const TESTS = ['src', 'cli', 'vite', 'bench'].flatMap((folder) =>
  readdirSync(join(import.meta.dirname, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.test\.tsx?$/.test(path) && !path.includes('node_modules'))
    .map((path) => `${folder}/${path.replaceAll('\\', '/')}`),
)
/**
 * Modules or globals replaced, or the heap measured: such a file has a process of its own, the
 * others share one, where a module is read once. A program on the model reads the model's clock as
 * a global: a timer that another file left behind would read it too, and take its time.
 */
const APART = /\bvi\.(mock|doMock|stubGlobal)\b|\bliveBytes\b|\bglobalThis\b|\b(realmOf|runPlay|runOnModel)\b/
const apart = TESTS.filter((file) => APART.test(readFileSync(join(import.meta.dirname, file), 'utf8')))
const together = TESTS.filter((file) => !apart.includes(file))

/** No test finds a browser, nor a program that it starts: neither ours nor Playwright's own. */
const NO_BROWSER = { LAB_NO_BROWSER: '1', CHROME_PATH: '', PLAYWRIGHT_BROWSERS_PATH: '/none' }

export default mergeConfig(
  site,
  defineConfig({
    test: {
      environment: 'node',
      // Vitest leaves one core to itself: of two, half the machine.
      maxWorkers: availableParallelism(),
      env: { TZ: 'UTC', LANG: 'en_US.UTF-8', LC_ALL: 'en_US.UTF-8', ...NO_BROWSER },
      css: { include: /theme\.css/ }, // read as text: site/ui/preview.ts
      setupFiles: 'src/testing/each-file.ts',
      restoreMocks: true,
      // What a test does is bounded, not how long it takes: a busy machine is ten times as slow. No
      // test has a shorter limit of its own.
      testTimeout: 300_000,
      expect: { poll: { timeout: 30_000 } },
      projects: [
        { extends: true, test: { name: 'together', include: together, isolate: false } },
        { extends: true, test: { name: 'apart', include: apart } },
      ],
    },
  }),
)
