/** Unit tests: Node, no browser, no GPU. Time zone and locale are pinned, so that text tests mean the same everywhere. */
import { availableParallelism } from 'node:os'
import { defineConfig, mergeConfig } from 'vitest/config'
import site from './vite.config'

export default mergeConfig(
  site,
  defineConfig({
    test: {
      include: ['src/**/*.test.{ts,tsx}', 'cli/**/*.test.ts', 'vite/**/*.test.ts', 'bench/**/*.test.ts'],
      environment: 'node',
      // Vitest leaves one core to itself: of two, half the machine.
      maxWorkers: availableParallelism(),
      env: { TZ: 'UTC', LANG: 'en_US.UTF-8', LC_ALL: 'en_US.UTF-8' },
      restoreMocks: true,
      // What a test does is bounded, not how long it takes: a busy machine is ten times as slow. No test has a shorter limit of its own.
      testTimeout: 300_000,
      expect: { poll: { timeout: 30_000 } },
    },
  }),
)
