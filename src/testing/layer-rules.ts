/**
 * The rooms of src/ and who may import whom, as data (src/README.md, 'Rooms'), with the check that
 * reads it. Tests and testing/ folders may import anything, and nothing else may import them.
 */
import { globalsOf, importsOf, type Import, type SourceFiles } from './import-graph'

export interface Room {
  /** Rooms that it imports, beside itself. */
  readonly may: readonly string[]
  /** Rooms of which it imports types alone. */
  readonly mayTypes?: readonly string[]
  /**
   * Packages and virtual modules, as patterns; `(computed)` is an import whose address is worked
   * out.
   */
  readonly packages?: readonly string[]
  /** Files that other rooms may import, as patterns in the room; without it, all. */
  readonly doors?: readonly string[]
  /** Globals that it must not name. */
  readonly never?: readonly RegExp[]
}

const PAGE = /^(document|window|localStorage|HTML\w*Element|CanvasRenderingContext2D)$/
const WEBGPU = /^GPU[A-Z]/
/** Whatever keeps, fetches or locks something outside the program. */
const IO =
  /^(indexedDB|localStorage|sessionStorage|caches|cookieStore|navigator|fetch|XMLHttpRequest|WebSocket|EventSource|BroadcastChannel)$/

const list = (names: string): readonly string[] => names.split(' ')
const room = (imports: string, more: Omit<Room, 'may'> = {}): Room => ({ may: list(imports), ...more })
const TRACES = 'base trace text analysis'
const RUNS = `${TRACES} recorder gpu lab`
const SITE_PACKAGES = 'react react-dom react-dom/* zustand zustand/* d3-* valibot virtual:*'

/**
 * In reading order: a room imports only rooms above it, so no cycle joins two rooms. Those within a
 * room are oxlint's.
 */
export const ROOMS: Readonly<Record<string, Room>> = {
  base: room('', { packages: ['valibot'], never: [PAGE, WEBGPU, IO] }),
  trace: room('base', { packages: ['valibot'], never: [PAGE, WEBGPU] }),
  text: room('base trace', { never: [PAGE, WEBGPU] }),
  analysis: room('base trace', { never: [PAGE, WEBGPU] }),
  timeline: room('base trace', {
    mayTypes: ['analysis'],
    packages: ['d3-*'],
    doors: ['index.ts', 'types.ts', 'lod/*'],
    never: [WEBGPU],
  }),
  strips: room('base trace analysis', { packages: ['react', 'react/*'], never: [WEBGPU] }),
  recorder: room('base trace', { never: [PAGE] }),
  gpu: room('base trace recorder shaders', {
    packages: ['onnxruntime-web/*'],
    doors: ['index.ts', 'kernels/**'],
    never: [PAGE],
  }),
  lab: room('base trace recorder gpu', { never: [PAGE] }),
  experiments: room(RUNS, { packages: ['(computed)'], never: [PAGE] }),
  model: room('base trace gpu lab experiments', { mayTypes: ['recorder'], never: [PAGE] }),
  exercises: room(`${RUNS} experiments`, { packages: ['acorn'] }),
  lessons: room(`${TRACES} gpu lab experiments model exercises`, { never: [PAGE] }),
  check: room('base', { packages: list('@lezer/common @lezer/python'), never: [PAGE, WEBGPU, IO] }),
  site: room(`${TRACES} check timeline strips gpu lab experiments model exercises lessons shaders public`, {
    packages: list(`${SITE_PACKAGES} @fontsource-variable/* @codemirror/* @lezer/* (computed)`),
    never: [WEBGPU],
  }),
  'main.tsx': room('base site', { packages: list(SITE_PACKAGES), never: [WEBGPU] }),
}

/**
 * Code that a thread must never load, by any chain of imports: its entries, and the files and
 * packages out of its reach.
 */
interface Thread {
  readonly entries: readonly string[]
  readonly never: readonly string[]
}
const THREADS: readonly Thread[] = [
  {
    entries: list('src/main.tsx src/site/open-page.ts src/site/perfetto-page.ts'),
    // WebGPU is used in workers alone.
    never: list('src/gpu/*.ts src/recorder/** src/lab/lab.ts src/experiments/runners.ts src/model/gpu-*.ts'),
  },
  {
    entries: ['(workers)'],
    never: list(
      'src/site/ui/** src/site/exercise/** src/site/opened-trace/** src/timeline/*.ts react react-dom zustand zustand/*',
    ),
  },
]

/**
 * Files of one folder below these know nothing of its neighbours: experiments/sync-stalls imports
 * nothing of experiments/ranks.
 */
const SIBLINGS: Readonly<Record<string, RegExp>> = {
  experiments: /^src\/experiments\/(?!declare\/|testing\/)([^/]+)\//,
  lessons: /^src\/lessons\/(?!testing\/)([^/]+)\//,
}

/** Within a room: the files on the left import nothing of those on the right. */
const APART: readonly (readonly [from: string, to: string])[] = [
  ['src/trace/*.ts', 'src/trace/formats/**'],
  ['src/gpu/*.ts', 'src/gpu/kernels/**'],
  ['src/timeline/lod/**', 'src/timeline/*.ts'],
  ['src/site/state/**', 'src/site/ui/**'],
  ['src/site/state/**', 'src/site/exercise/**'],
  ['src/site/state/**', 'src/site/opened-trace/**'],
  ['src/site/*worker/**', 'src/site/ui/**'],
]

/** Code may name GPUDevice and GPUBuffer here alone: these own them. */
const GPU_OBJECT_FILES = list(
  'recorder/** gpu/** lab/** experiments/*/prepare.ts model/play/** exercises/budget/** exercises/worker/** lessons/*/mend/prepare.ts',
).map((file) => `src/${file}`)
const GPU_OBJECTS = ['GPUDevice', 'GPUBuffer']

export interface Violation {
  readonly rule:
    | 'room'
    | 'apart'
    | 'door'
    | 'package'
    | 'thread'
    | 'sibling'
    | 'global'
    | 'gpu-object'
    | 'test-code'
  readonly file: string
  readonly line: number
  /** What is imported or named. */
  readonly what: string
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
const fits = (patterns: readonly string[], path: string): boolean =>
  patterns.some((pattern) => matches(pattern, path))

const isTestCode = (path: string): boolean => /\.test\.tsx?$|(^|\/)testing\//.test(path)
const roomOf = (path: string): string =>
  (path.startsWith('src/') ? path.split('/')[1] : path.split('/')[0]) ?? ''
const neighbourOf = (path: string): string | null =>
  Object.values(SIBLINGS)
    .map((pattern) => pattern.exec(path)?.[0])
    .find((folder) => folder !== undefined) ?? null

/** The rule that an import breaks, or null. */
function ruleBroken({ from, to, specifier, kind }: Import): Violation['rule'] | null {
  const own = ROOMS[roomOf(from)]
  if (!own) return 'room'
  if (to === null) return fits(own.packages ?? [], specifier.replace(/\?.*$/s, '')) ? null : 'package'
  if (isTestCode(to)) return 'test-code'
  const other = roomOf(to)
  if (other === roomOf(from)) {
    if (APART.some(([left, right]) => matches(left, from) && matches(right, to))) return 'apart'
    const [folder, its] = [neighbourOf(from), neighbourOf(to)]
    return folder !== null && its !== null && folder !== its && !its.includes('*') ? 'sibling' : null
  }
  if (!own.may.includes(other) && !(kind === 'types' && own.mayTypes?.includes(other))) return 'room'
  const doors = ROOMS[other]?.doors
  return !doors || fits(doors, to.slice(`src/${other}/`.length)) ? null : 'door'
}

/** Files that a thread loads, in the order found; each with the import that led to it. */
function reachOf(
  entries: readonly string[],
  imports: readonly Import[],
  files: readonly string[],
): ReadonlyMap<string, Import | null> {
  const values = imports.filter(({ kind }) => kind === 'value')
  const found = new Map<string, Import | null>(entries.map((entry) => [entry, null]))
  for (const file of found.keys())
    for (const each of values) {
      if (each.from !== file) continue
      const { to, specifier } = each
      const reached =
        to === null
          ? [specifier.replace(/\?.*$/s, '')]
          : /\?raw\b/.test(specifier) || to.includes('/programs/')
            ? []
            : to.includes('*')
              ? files.filter((path) => matches(to, path))
              : [to]
      for (const path of reached) if (!found.has(path)) found.set(path, each)
    }
  return found
}

export function checkLayers(
  sources: SourceFiles,
  exists: (path: string) => boolean = (path) => sources.has(path),
): { readonly violations: readonly Violation[]; readonly imports: readonly Import[] } {
  const violations: Violation[] = []
  const files = [...sources].filter(([path]) => !isTestCode(path))
  const imports = files.flatMap(([path, text]) => importsOf(path, text, exists))
  const add = (rule: Violation['rule'], { from, line, to, specifier }: Import): void => {
    violations.push({ rule, file: from, line, what: to ?? specifier })
  }
  for (const [path, text] of files) {
    const its = ROOMS[roomOf(path)]
    if (!its) violations.push({ rule: 'room', file: path, line: 1, what: path })
    for (const [name, line] of globalsOf(path, text)) {
      if (GPU_OBJECTS.includes(name) && !fits(GPU_OBJECT_FILES, path))
        violations.push({ rule: 'gpu-object', file: path, line, what: name })
      else if (its?.never?.some((expression) => expression.test(name)))
        violations.push({ rule: 'global', file: path, line, what: name })
    }
  }
  for (const each of imports) {
    const rule = ruleBroken(each)
    if (rule !== null && ROOMS[roomOf(each.from)]) add(rule, each)
  }
  const paths = files.map(([path]) => path)
  const workers = imports.flatMap(({ kind, to }) => (kind === 'worker' && to !== null ? [to] : []))
  for (const { entries, never } of THREADS) {
    const begins = entries.flatMap((entry) =>
      entry === '(workers)' ? workers : paths.includes(entry) ? [entry] : [],
    )
    for (const [path, by] of reachOf(begins, imports, paths)) if (by && fits(never, path)) add('thread', by)
  }
  return { violations, imports }
}
