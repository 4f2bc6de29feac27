/**
 * Who may import whom: what src/README.md says of each folder as data, and the check that reads it. A file belongs to the first layer whose
 * pattern fits it. Tests and testing/ folders may import anything, and nothing else may import them.
 */
import { findCycles, globalsOf, importsOf, type Import, type SourceFiles } from './import-graph'

export interface Layer {
  readonly name: string
  /** `*` is one path segment or part of one, `**` any number of them. */
  readonly files: readonly string[]
  /** Patterns of files that may be imported as values or types; `{own}` is the importing file's own folder, `{above}` the one above. */
  readonly may: readonly string[]
  /** Patterns that may be imported only as types. */
  readonly mayTypes?: readonly string[]
  /** Patterns that may only be started, as another thread. */
  readonly mayStart?: readonly string[]
  /** Patterns of packages and virtual modules. */
  readonly packages?: readonly string[]
  /** Globals that this layer's code must not use. */
  readonly never?: readonly RegExp[]
}

const PAGE = /^(document|window|localStorage|HTML\w*Element|CanvasRenderingContext2D)$/
const WEBGPU = /^GPU[A-Z]/
/** What keeps, fetches or locks something outside of the program. */
const IO =
  /^(indexedDB|localStorage|sessionStorage|caches|cookieStore|navigator|fetch|XMLHttpRequest|WebSocket|EventSource|BroadcastChannel)$/
/** What experiments are declared with: how metrics are read off a trace, rules. */
const DECLARE_FILES = [
  'src/experiments/declare/**',
  'src/experiments/experiment.ts',
  'src/experiments/evidence.ts',
]
/** The half of an experiment that page, command line and worker share. */
const META_FILES = [
  'src/experiments/progress.ts',
  'src/experiments/catalog.ts',
  'src/experiments/catalog-of.ts',
  'src/experiments/metas.ts',
  'src/experiments/factor-names.ts',
  'src/experiments/shared-params.ts',
  'src/experiments/*/meta.ts',
  // What a declaration is made of: pure, and read by page, worker and Node alike.
  ...['names', 'variants', 'samplers', 'measures', 'figure*', 'curve*', 'crossover'].map(
    (name) => `src/experiments/*/${name}.ts`,
  ),
]
/** What others may know of experiments without running one. */
/** What checks are made of: pure, and without the grader. */
const MEND_PLAIN_FILES = [
  'checks',
  'mend',
  'names',
  'rank-rules',
  'rules',
  'run-facts',
  'supplied',
  'trace-of-run',
  'types',
  'words',
].map((name) => `src/mend/${name}.ts`)
const EXPERIMENT_TYPES = ['src/experiments/experiment.ts', 'src/experiments/declare/index.ts', ...META_FILES]
const PROTOCOL_FILES = ['src/worker/protocol.ts', 'src/worker/client-types.ts']
/** Both sides of the import worker's messages. */
const IMPORT_SHARED = [
  'src/import-worker/protocol.ts',
  'src/import-worker/packed-*.ts',
  'src/import-worker/gap-columns.ts',
]

export const LAYERS: readonly Layer[] = [
  {
    name: 'base',
    files: ['src/base/**'],
    may: ['src/base/**'],
    packages: ['valibot'],
    never: [PAGE, WEBGPU, IO],
  },
  {
    name: 'trace',
    files: ['src/trace/**'],
    may: ['src/base/**', 'src/trace/**'],
    packages: ['valibot'],
    never: [PAGE, WEBGPU],
  },
  {
    name: 'analysis',
    files: ['src/analysis/**'],
    may: ['src/base/**', 'src/trace/**', 'src/analysis/**'],
    never: [PAGE, WEBGPU],
  },
  {
    // What an analysis comes to in a few lines, as text and as a picture, for page and command line.
    name: 'summary',
    files: ['src/summary/**'],
    may: ['src/base/**', 'src/analysis/**', '{own}/**'],
    never: [PAGE, WEBGPU],
  },
  {
    // Levels of detail: what a canvas needs, and no canvas.
    name: 'picture',
    files: ['src/picture/**'],
    may: ['src/base/**', 'src/trace/**', 'src/picture/**'],
    never: [PAGE, WEBGPU],
  },
  {
    name: 'formats',
    files: ['src/formats/**'],
    may: ['src/base/**', 'src/trace/**', 'src/formats/**'],
    packages: ['d3-dsv', 'valibot'],
    never: [PAGE, WEBGPU],
  },
  {
    name: 'recorder',
    files: ['src/recorder/**'],
    may: ['src/base/**', 'src/trace/**', 'src/recorder/**'],
    never: [PAGE],
  },
  {
    name: 'ranks',
    files: ['src/ranks/**'],
    may: ['src/base/**', 'src/trace/**', 'src/ranks/**'],
    never: [PAGE, WEBGPU],
  },
  {
    name: 'engine',
    files: ['src/engine/**'],
    may: ['src/base/**', 'src/trace/**', 'src/recorder/index.ts', 'src/engine/**'],
    never: [PAGE],
  },
  {
    name: 'lab',
    files: ['src/lab/**'],
    may: [
      'src/base/**',
      'src/trace/**',
      'src/recorder/index.ts',
      'src/engine/index.ts',
      'src/kernels/**',
      'src/lab/**',
    ],
    mayStart: ['src/lab/loader-worker.ts'],
    never: [PAGE],
  },
  {
    // Measures kernels on a device, so it runs them.
    name: 'kernels: tuning',
    files: [
      'src/kernels/tuning/**',
      ...['copy-work', 'fma-work', 'keep-busy', 'load', 'roofline', 'timing'].map(
        (name) => `src/kernels/calibrate/${name}.ts`,
      ),
    ],
    may: ['src/base/**', 'src/trace/**', 'src/engine/index.ts', 'src/kernels/**'],
    never: [PAGE],
  },
  {
    name: 'kernels: processor library',
    files: ['src/kernels/cpu/onnx-matmul.ts'],
    may: ['src/base/**', '{own}/**'],
    packages: ['onnxruntime-web/*'],
    never: [PAGE, WEBGPU],
  },
  {
    name: 'kernels',
    files: ['src/kernels/**'],
    may: ['src/base/**', 'src/kernels/**', 'shaders/**'],
    mayTypes: ['src/engine/index.ts'],
    never: [PAGE],
  },
  {
    // Conditions, and sentences over figures: of verdicts, lessons and mends.
    name: 'words',
    files: ['src/words/**'],
    may: ['src/base/**', 'src/trace/**', 'src/words/**'],
    never: [PAGE, WEBGPU],
  },
  {
    name: 'experiments: declare',
    files: DECLARE_FILES,
    may: ['src/base/**', 'src/trace/**', 'src/analysis/**', 'src/words/**', ...DECLARE_FILES],
    mayTypes: ['src/experiments/run-types.ts'],
    never: [PAGE, WEBGPU],
  },
  {
    name: 'experiments: meta, catalog',
    files: META_FILES,
    may: [
      'src/base/**',
      'src/trace/**',
      'src/analysis/metrics.ts',
      'src/words/**',
      ...DECLARE_FILES,
      ...META_FILES,
      'src/experiments/*/verdict.md',
    ],
    mayTypes: ['src/experiments/run-types.ts'],
    never: [PAGE, WEBGPU],
  },
  {
    name: 'experiments: runners',
    files: ['src/experiments/runners.ts'],
    may: [
      'src/base/**',
      'src/trace/**',
      'src/engine/index.ts',
      'src/lab/**',
      'src/experiments/*.ts',
      'src/experiments/declare/index.ts',
      'src/experiments/*/prepare.ts',
      'src/experiments/*/prepare-rank.ts',
    ],
    // A program is imported by its address: the file that the page shows.
    packages: ['(computed)'],
    never: [PAGE],
  },
  {
    name: 'experiments: run',
    files: ['src/experiments/**'],
    may: [
      'src/base/**',
      'src/trace/**',
      'src/analysis/**',
      'src/engine/index.ts',
      'src/kernels/**',
      'src/lab/**',
      'src/recorder/index.ts',
      'src/ranks/**',
      'src/experiments/*.ts',
      'src/experiments/declare/**',
      '{own}/**',
    ],
    mayStart: ['src/experiments/rank-worker.ts'],
    // A program is imported by its address: the file that the page shows.
    packages: ['(computed)'],
    never: [PAGE],
  },
  {
    name: 'model',
    files: ['src/model/**'],
    may: [
      'src/base/**',
      'src/trace/**',
      'src/kernels/**',
      'src/lab/batch-ring.ts',
      // Who waits for whom, as plain data.
      'src/ranks/wait-for.ts',
      'src/model/**',
    ],
    mayTypes: ['src/lab/lab.ts', 'src/lab/loader.ts', 'src/recorder/index.ts'],
    never: [PAGE],
  },
  {
    // What the page has of it: handles and sentences, and who asks the worker.
    name: 'play: page',
    files: [
      'src/play/handles.ts',
      'src/play/play.ts',
      'src/play/plays.ts',
      'src/play/client.ts',
      'src/lessons/*/play.ts',
    ],
    may: ['src/base/**', 'src/play/handles.ts', 'src/play/play.ts', 'src/lessons/*/play.ts'],
    mayTypes: ['src/model/card.ts', 'src/model/loader.ts', 'src/play/play-worker.ts'],
    mayStart: ['src/play/play-worker.ts'],
    never: [PAGE],
  },
  {
    name: 'play: worker',
    files: ['src/play/**'],
    may: [
      'src/base/**',
      'src/model/**',
      'src/experiments/*/programs/*.js',
      'src/play/**',
      'src/lessons/*/play.ts',
    ],
    mayTypes: ['src/lab/lab.ts'],
    never: [PAGE],
  },
  {
    name: 'mend: wgsl',
    files: ['src/mend/problem.ts', 'src/mend/wgsl/**'],
    may: ['src/base/**', 'src/mend/problem.ts', 'src/mend/wgsl/**'],
    never: [PAGE, WEBGPU],
  },
  {
    // Patches WebGPU in the recorder's way, outside of it.
    name: 'mend: budget',
    files: ['src/mend/budget/**'],
    may: [
      'src/base/**',
      'src/mend/wgsl/**',
      'src/mend/budget/**',
      'src/recorder/intrinsics.ts',
      'src/recorder/patches.ts',
      'src/recorder/sizes.ts',
    ],
    mayTypes: ['src/recorder/realm.ts'],
    never: [PAGE],
  },
  {
    name: 'worker: protocol',
    files: PROTOCOL_FILES,
    may: ['src/base/**', ...PROTOCOL_FILES],
    mayTypes: ['src/trace/**', ...EXPERIMENT_TYPES],
    never: [PAGE, WEBGPU],
  },
  {
    name: 'worker: client',
    files: ['src/worker/client.ts', 'src/worker/measuring-lock.ts'],
    may: ['src/base/**', 'src/worker/measuring-lock.ts', ...PROTOCOL_FILES],
    mayTypes: ['src/trace/**', ...EXPERIMENT_TYPES],
    mayStart: ['src/worker/worker.ts'],
    never: [WEBGPU],
  },
  {
    name: 'worker: worker',
    files: ['src/worker/**'],
    may: [
      'src/base/**',
      'src/worker/protocol.ts',
      'src/worker/handle-requests.ts',
      'src/state/tuning-cache.ts',
      'src/trace/chunk-buffers.ts',
      'src/engine/index.ts',
      'src/experiments/runners.ts',
    ],
    mayTypes: ['src/trace/**', ...EXPERIMENT_TYPES],
    never: [PAGE],
  },
  {
    name: 'reading: client',
    files: ['src/import-worker/client.ts', ...IMPORT_SHARED],
    may: ['src/base/**', 'src/trace/**', 'src/picture/**', ...IMPORT_SHARED],
    mayTypes: ['src/analysis/**', 'src/formats/**', 'src/import-worker/digest.ts'],
    mayStart: ['src/import-worker/import-worker.ts'],
    never: [WEBGPU],
  },
  {
    name: 'reading: worker',
    files: ['src/import-worker/**'],
    may: [
      'src/base/**',
      'src/trace/**',
      'src/analysis/**',
      'src/picture/**',
      'src/formats/**',
      'src/import-worker/**',
    ],
    never: [PAGE, WEBGPU],
  },
  {
    name: 'writing: client',
    files: ['src/export-worker/client.ts', 'src/export-worker/protocol.ts'],
    may: ['src/base/**', 'src/export-worker/protocol.ts'],
    mayTypes: ['src/trace/**'],
    mayStart: ['src/export-worker/export-worker.ts'],
    never: [WEBGPU],
  },
  {
    name: 'writing: worker',
    files: ['src/export-worker/**'],
    may: ['src/base/**', 'src/trace/**', 'src/formats/**', 'src/export-worker/**'],
    never: [PAGE, WEBGPU],
  },
  {
    // What a learner's program meets in its worker.
    name: 'mend: worker',
    files: ['src/mend/worker/**', 'src/mend/workload.ts'],
    may: [
      'src/base/**',
      'src/trace/**',
      'src/engine/index.ts',
      'src/recorder/**',
      'src/kernels/**',
      'src/ranks/**',
      'src/lab/**',
      'src/experiments/*.ts',
      'src/mend/types.ts',
      'src/mend/run-facts.ts',
      'src/mend/problem.ts',
      'src/mend/workload.ts',
      'src/mend/wgsl/**',
      'src/mend/budget/**',
      'src/mend/worker/**',
    ],
    mayStart: ['src/mend/worker/cpu-worker.ts'],
    never: [PAGE],
  },
  {
    name: 'mend: plain data',
    files: MEND_PLAIN_FILES,
    may: ['src/base/**', 'src/trace/**', 'src/analysis/**', 'src/words/**', ...MEND_PLAIN_FILES],
    never: [PAGE, WEBGPU],
  },
  {
    // Starts workers and grades what comes back; the page loads it when a mend is opened.
    name: 'mend: grader',
    files: ['src/mend/**'],
    may: ['src/base/**', 'src/trace/**', 'src/analysis/**', 'src/mend/*.ts', 'src/worker/measuring-lock.ts'],
    packages: ['acorn'],
    never: [WEBGPU],
  },
  {
    name: 'timeline',
    files: ['src/timeline/**'],
    may: ['src/base/**', 'src/trace/**', 'src/picture/**', 'src/timeline/**'],
    mayTypes: ['src/analysis/**'],
    packages: ['d3-*'],
    never: [WEBGPU],
  },
  {
    // The worker's half of a mend: the work that a program is given, and what is read from the device after it.
    name: 'lessons: workload of a mend',
    files: ['src/lessons/*/mend/prepare.ts'],
    may: [
      'src/base/**',
      'src/trace/**',
      'src/engine/index.ts',
      'src/kernels/**',
      'src/lab/**',
      'src/experiments/**',
      'src/mend/types.ts',
      'src/mend/workload.ts',
      'src/mend/worker/*.ts',
      'src/mend/wgsl/*.ts',
      '{own}/**',
    ],
    mayTypes: ['src/mend/names.ts'],
    never: [PAGE],
  },
  {
    // With what the last rung's have.
    name: 'lessons: checks of a rung before the last',
    files: ['src/lessons/*/mend/rung-*/**'],
    may: ['src/base/**', 'src/trace/**', ...MEND_PLAIN_FILES, '{above}/*'],
    mayTypes: ['src/mend/*.ts'],
    never: [PAGE, WEBGPU],
  },
  {
    // The grader's half: pure, on what came back.
    name: 'lessons: checks of a mend',
    files: ['src/lessons/*/mend/**'],
    may: [
      'src/base/**',
      'src/trace/**',
      'src/analysis/**',
      'src/kernels/**',
      // What a batch holds, by its seed: worked out anew, like what a kernel computes.
      'src/lab/batch-maker.ts',
      ...MEND_PLAIN_FILES,
      '{own}/**',
    ],
    mayTypes: ['src/mend/*.ts'],
    never: [PAGE, WEBGPU],
  },
  {
    // Their folders listed, for the page and for the worker: below them `mend/` knows no lesson.
    name: 'lessons: mends',
    files: ['src/lessons/mends.ts'],
    may: [
      'src/mend/grade.ts',
      'src/mend/checks.ts',
      'src/mend/edits.ts',
      'src/lessons/*/mend/**',
      'src/model/cards/*.ts',
    ],
    mayTypes: ['src/mend/*.ts', 'src/trace/report.ts'],
    mayStart: ['src/lessons/mend-worker.ts', 'src/lessons/model-mend-worker.ts'],
    never: [WEBGPU],
  },
  {
    name: 'lessons: worker of mends',
    files: ['src/lessons/mend-worker.ts', 'src/lessons/model-mend-worker.ts'],
    may: [
      'src/mend/worker/mend-worker.ts',
      'src/lessons/*/mend/prepare.ts',
      'src/model/stage.ts',
      'src/model/cards/*.ts',
    ],
    mayTypes: ['src/mend/workload.ts'],
    never: [PAGE],
  },
  {
    name: 'lessons',
    files: ['src/lessons/**'],
    // What a run shows is in the rules of its experiment: a lesson's page renders them.
    may: [
      'src/base/**',
      'src/trace/report.ts',
      'src/words/**',
      'src/lessons/**',
      'src/experiments/declare/**',
    ],
    mayTypes: ['src/mend/words.ts', ...EXPERIMENT_TYPES],
    never: [PAGE, WEBGPU],
  },
  {
    // IndexedDB without the stores: the worker keeps its tuning there too.
    name: 'state: databases',
    files: ['src/state/browser-database.ts', 'src/state/storage-problem.ts', 'src/state/tuning-cache.ts'],
    may: ['src/base/**', 'src/state/browser-database.ts', 'src/state/storage-problem.ts'],
    never: [PAGE, WEBGPU],
  },
  {
    name: 'state',
    files: ['src/state/**'],
    may: [
      'src/base/**',
      'src/trace/**',
      'src/analysis/**',
      'src/picture/newest-spans.ts',
      'src/formats/**',
      'src/state/**',
    ],
    mayTypes: [
      'src/lessons/lesson.ts',
      'src/words/**',
      'src/mend/names.ts',
      'src/mend/types.ts',
      'src/mend/words.ts',
      'src/import-worker/**',
      'src/export-worker/protocol.ts',
      'src/model/card.ts',
      ...EXPERIMENT_TYPES,
      ...PROTOCOL_FILES,
    ],
    packages: ['zustand', 'zustand/*', 'valibot'],
    never: [WEBGPU],
  },
  {
    // The only place of CodeMirror in the page, loaded when a mend is opened.
    name: 'ui: code editor',
    files: ['src/ui/mend/editor/code/**'],
    may: ['src/base/**', 'src/mend/problem.ts', 'src/mend/syntax.ts', '{own}/**'],
    mayTypes: ['src/mend/names.ts'],
    packages: ['@codemirror/*', '@lezer/highlight'],
    never: [WEBGPU],
  },
  {
    // Scripts as any page has them: recorder.js and a program, no modules of the lab's.
    name: 'ui: scripts to record',
    files: ['src/ui/record/load-script.ts'],
    may: [],
    packages: ['(computed)'],
    never: [WEBGPU],
  },
  {
    // Makes the stores that the page gets from main.tsx, and draws in Node.
    name: 'ui: first paint',
    files: ['src/ui/first-paint.tsx'],
    may: [
      'src/state/**',
      'src/ui/**',
      'src/lessons/load.ts',
      'src/words/passage.ts',
      'src/lessons/lesson.ts',
      'src/lessons/questions.ts',
      'src/experiments/metas.ts',
    ],
    packages: ['react', 'react-dom/static', 'zustand/vanilla', 'virtual:*'],
    never: [WEBGPU],
  },
  {
    name: 'ui',
    files: ['src/ui/**'],
    may: [
      'src/base/**',
      // Those that are data: names, constants and rows of what is shown.
      'src/trace/figure.ts',
      'src/trace/figure-reference.ts',
      'src/trace/adapter-name.ts',
      'src/trace/report.ts',
      'src/trace/schema.ts',
      'src/state/**',
      'src/summary/**',
      'src/timeline/index.ts',
      'src/mend/problem.ts',
      'src/play/client.ts',
      'src/play/play.ts',
      'src/play/plays.ts',
      'src/words/**',
      'src/lessons/glossary.ts',
      'src/lessons/lesson.ts',
      'src/lessons/load.ts',
      'src/lessons/method.ts',
      'src/lessons/questions.ts',
      'src/lessons/quiz-reading.ts',
      'src/lessons/script.ts',
      'src/lessons/*/code/*',
      // To be shown.
      'src/lessons/*/mend/reference.*',
      'src/lessons/*/choices.md',
      'src/experiments/*/programs/*.js',
      'src/experiments/metas.ts',
      'src/experiments/factor-names.ts',
      'src/experiments/declare/index.ts',
      'src/experiments/declare/quote.ts',
      'src/experiments/experiment.ts',
      'src/ui/**',
      'shaders/**',
      'public/companion/*',
    ],
    mayTypes: [
      'src/trace/**',
      'src/timeline/types.ts',
      'src/mend/names.ts',
      'src/mend/types.ts',
      'src/mend/words.ts',
      'src/analysis/types.ts',
      'src/analysis/findings.ts',
      'src/worker/protocol.ts',
      'src/experiments/declare/index.ts',
      'src/experiments/catalog-of.ts',
      'src/import-worker/**',
    ],
    packages: ['react', 'react-dom', 'zustand', 'd3-*', 'virtual:*', '@fontsource-variable/*'],
    never: [WEBGPU],
  },
  {
    // A page's half, the service worker's, and what both know.
    name: 'offline: page',
    files: ['src/offline/page.ts', 'src/offline/storing.ts'],
    may: ['src/base/**', 'src/offline/*.ts', 'src/worker/measuring-lock.ts'],
    mayTypes: ['src/state/offline-store.ts', 'src/state/run-store.ts'],
    never: [WEBGPU],
  },
  {
    name: 'offline',
    files: ['src/offline/**'],
    may: ['src/base/**', '{own}/**'],
    never: [PAGE, WEBGPU],
  },
  {
    name: 'main',
    files: ['src/main.tsx', 'src/make-lab.ts'],
    may: [
      'src/make-lab.ts',
      'src/base/**',
      'src/trace/**',
      'src/analysis/**',
      'src/formats/**',
      'src/state/**',
      'src/ui/**',
      'src/worker/client.ts',
      'src/worker/client-types.ts',
      'src/worker/measuring-lock.ts',
      'src/lessons/mends.ts',
      'src/offline/page.ts',
      'src/import-worker/client.ts',
      'src/export-worker/client.ts',
      'src/experiments/metas.ts',
      'src/experiments/experiment.ts',
    ],
    packages: ['react', 'react-dom/client', 'virtual:*', '@fontsource-variable/*'],
    never: [WEBGPU],
  },
  {
    name: 'perfetto page',
    files: ['src/perfetto-page.ts'],
    may: ['src/state/perfetto.ts', 'src/ui/**.css'],
    never: [WEBGPU],
  },
  {
    name: 'open page',
    files: ['src/open-page.ts'],
    may: ['src/state/given-file.ts', 'src/ui/**.css'],
    never: [WEBGPU],
  },
]

/** A known departure from the table, and why. One that is no longer needed fails the test. */
export interface Exception {
  readonly from: string
  readonly to: string
  readonly kind: Import['kind']
  readonly reason: string
}
export const EXCEPTIONS: readonly Exception[] = []

/** Where code may name GPUDevice and GPUBuffer. */
const GPU_OBJECT_FILES = [
  'src/recorder/**',
  'src/engine/**',
  'src/kernels/**',
  'src/lab/**',
  'src/mend/budget/**',
  'src/experiments/*/prepare.ts',
  'src/lessons/*/mend/prepare.ts',
  'src/mend/worker/**',
  'src/mend/budget/**',
  'src/play/**',
]
const GPU_OBJECTS = ['GPUDevice', 'GPUBuffer']

export interface Violation {
  readonly rule: 'import' | 'package' | 'no-layer' | 'global' | 'gpu-object' | 'test-code' | 'cycle'
  readonly file: string
  readonly line: number
  /** What is imported or named. */
  readonly what: string
  /** Of an import. */
  readonly kind?: Import['kind']
}

function matches(pattern: string, path: string): boolean {
  const expression = pattern
    .split(/(\*\*|\*)/)
    .map((part) =>
      part === '**' ? '.*' : part === '*' ? '[^/]*' : part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'),
    )
    .join('')
  return new RegExp(`^${expression}$`, 's').test(path)
}

export const isExcepted = (exception: Exception, { file, what, kind }: Violation): boolean =>
  matches(exception.from, file) && matches(exception.to, what) && exception.kind === kind

const isTestCode = (path: string): boolean => /\.test\.tsx?$|(^|\/)testing\//.test(path)

function fits(patterns: readonly string[] | undefined, from: string, to: string): boolean {
  const own = from.slice(0, from.lastIndexOf('/'))
  const above = own.slice(0, own.lastIndexOf('/'))
  return (patterns ?? []).some((pattern) =>
    matches(pattern.replace('{own}', own).replace('{above}', above), to),
  )
}

function isAllowed(layer: Layer, { from, to, specifier, kind }: Import): boolean {
  if (to === null) return fits(layer.packages, from, specifier.replace(/\?.*$/s, ''))
  if (kind === 'worker') return fits(layer.mayStart, from, to)
  return fits(layer.may, from, to) || (kind === 'types' && fits(layer.mayTypes, from, to))
}

export function checkLayers(
  files: SourceFiles,
  layers: readonly Layer[] = LAYERS,
  exists: (path: string) => boolean = (path) => files.has(path),
): { readonly violations: readonly Violation[]; readonly imports: readonly Import[] } {
  const violations: Violation[] = []
  const imports: Import[] = []
  for (const [path, text] of files) {
    if (isTestCode(path)) continue
    const layer = layers.find(({ files: patterns }) => fits(patterns, path, path))
    if (!layer) {
      violations.push({ rule: 'no-layer', file: path, line: 1, what: path })
      continue
    }
    for (const each of importsOf(path, text, exists)) {
      imports.push(each)
      const { line, to, specifier, kind } = each
      if (to !== null && isTestCode(to)) violations.push({ rule: 'test-code', file: path, line, what: to })
      else if (!isAllowed(layer, each)) {
        violations.push({
          rule: to === null ? 'package' : 'import',
          file: path,
          line,
          what: to ?? specifier,
          kind,
        })
      }
    }
    for (const [name, line] of globalsOf(path, text)) {
      if (GPU_OBJECTS.includes(name) && !fits(GPU_OBJECT_FILES, path, path)) {
        violations.push({ rule: 'gpu-object', file: path, line, what: name })
      } else if (layer.never?.some((expression) => expression.test(name))) {
        violations.push({ rule: 'global', file: path, line, what: name })
      }
    }
  }
  for (const cycle of findCycles(imports)) {
    violations.push({ rule: 'cycle', file: cycle[0] ?? '', line: 1, what: cycle.join(' → ') })
  }
  return { violations, imports }
}
