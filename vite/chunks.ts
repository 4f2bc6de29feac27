/**
 * Which modules share a file of the build. Left alone, the bundler gives each set of pages that
 * shares a module a chunk of its own: more than a hundred requests before a page of the lab is
 * whole. So modules are gathered into five files: what the first page needs, what asks its device,
 * what a lesson needs besides, the declarations of all experiments, and what draws and reads
 * traces. Behind the first file, components stay with their pages.
 */
import { basename, join } from 'node:path'
import type { Plugin, Rolldown } from 'vite'

type Context = Rolldown.ChunkingContext
type CodeSplitting = Exclude<NonNullable<Rolldown.OutputOptions['codeSplitting']>, boolean>

const GATHERED = {
  first: ['main.tsx', 'site/ui/home/HomePage.tsx'],
  client: ['site/worker/client.ts'],
  lab: ['site/make-lab.ts', 'site/ui/lesson/LessonPage.tsx', 'base/crossover.ts'],
  metas: ['experiments/catalog.ts'],
  timelines: [
    'site/ui/lesson/SeeScreen.tsx',
    'site/ui/lesson/ChangeScreen.tsx',
    'site/ui/lesson/InstrumentScreen.tsx',
    'site/ui/lesson/WhyScreen.tsx',
    'site/ui/timeline/TimelinePane.tsx',
    'site/opened-trace/TracePage.tsx',
    'timeline/index.ts',
  ],
} as const

/** The modules and all that they import; what they load later is not among it. */
function reach(modules: readonly string[], context: Context): ReadonlySet<string> {
  const found = new Set<string>()
  const waiting = [...modules]
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    if (found.has(id)) continue
    found.add(id)
    waiting.push(...(context.getModuleInfo(id)?.importedIds ?? []))
  }
  return found
}

export function codeSplitting(root: string): CodeSplitting {
  const source = join(root, 'src')
  const pages = ['ui', 'exercise', 'opened-trace'].map((folder) => join(source, 'site', folder, '/'))
  const entry = join(source, 'main.tsx')
  const names = Object.keys(GATHERED) as (keyof typeof GATHERED)[]
  return {
    // Each has all that its modules import, but for what stands in one before it: no two can import
    // each other.
    groups: names.map((name, index) => {
      let own: ReadonlySet<string> | null = null
      return {
        debugName: name,
        test: (id) => id !== entry && !id.endsWith('.css'),
        name: (id, context) => {
          if (name !== 'first' && pages.some((folder) => id.startsWith(folder))) return null
          own ??= reach(
            GATHERED[name].map((file) => join(source, file)),
            context,
          )
          return own.has(id) ? name : null
        },
        priority: names.length - index,
      }
    }),
  }
}

/**
 * Chunks of a worker's build are named after it, 'assets/matmul-X.exercise-worker.js': each worker
 * has a build of its own, with its own copies, and which files are stored without a network is
 * decided by their names (src/site/offline/site-files.ts).
 */
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
