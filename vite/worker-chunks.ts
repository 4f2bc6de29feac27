/**
 * Chunks of a worker's build are named after it, 'assets/matmul-X.exercise-worker.js': each worker has a build of its own, with its own copies,
 * and which files are stored without a network is decided by their names (src/site/offline/site-files.ts).
 */
import { basename } from 'node:path'
import type { Plugin } from 'vite'

export function workerChunks(): Plugin {
  let entry = ''
  return {
    name: 'worker-chunks',
    options({ input = [] }) {
      const [script = ''] = typeof input === 'string' ? [input] : Object.values(input)
      entry = basename(script).replace(/\.\w+(\?.*)?$/, '')
    },
    outputOptions: (options) => ({ ...options, chunkFileNames: `assets/[name]-[hash].${entry}.js` }),
  }
}
