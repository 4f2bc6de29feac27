/**
 * All lessons, in the order of the path: the folders with a `lesson.md`. The folder's name is the id, and a URL: it never changes.
 * Beside the words lie `explain.ts` (what a run says), `cuda.ts` (recorded profiles of CUDA) and `code/` (the shown samples).
 */
import { markRegions } from './code-regions'
import { explanation } from './explain-tools'
import type { CodeBlock, CudaSide, Lesson, LessonWords } from './lesson'

const words = import.meta.glob<LessonWords>('./*/lesson.md', { eager: true, import: 'words' })
const explainers = import.meta.glob<Readonly<Record<string, Lesson['explain']>>>('./*/explain.ts', {
  eager: true,
})
const cudaSides = import.meta.glob<Readonly<Record<string, CudaSide>>>('./*/cuda.ts', { eager: true })
const samples = import.meta.glob<string>('./*/code/*', { eager: true, query: '?raw', import: 'default' })

/** Samples by the name of their file; a lesson shows those that it has, in this order. */
const DIALECTS = [
  { file: 'pytorch.py', dialect: 'pytorch', language: 'python', title: 'PyTorch' },
  { file: 'webgpu.ts.txt', dialect: 'webgpu', language: 'typescript', title: 'WebGPU' },
] as const

/** A module beside a lesson exports exactly one thing. */
function onlyExport<T>(path: string, module: Readonly<Record<string, T>> | undefined): T | undefined {
  if (!module) return undefined
  const [value, ...others] = Object.values(module)
  if (value === undefined || others.length > 0) throw new Error(`${path} must export exactly one thing.`)
  return value
}

function lessonOf(path: string, { regions, ...rest }: LessonWords): Lesson {
  const folder = path.slice(0, -'lesson.md'.length)
  const id = folder.split('/').at(-2) ?? ''
  const cuda = onlyExport(`${folder}cuda.ts`, cudaSides[`${folder}cuda.ts`])
  const explain = onlyExport(`${folder}explain.ts`, explainers[`${folder}explain.ts`])
  return {
    ...rest,
    id,
    code: DIALECTS.flatMap(({ file, ...block }): readonly CodeBlock[] => {
      const source = samples[`${folder}code/${file}`]
      if (source === undefined) return []
      const marks = block.dialect === 'webgpu' && regions.length > 0
      return [{ ...block, source, ...(marks ? { regions: markRegions(source, regions) } : {}) }]
    }),
    // Without words of its own a run is explained by its verdict.
    explain: explain ?? ((quote) => explanation(quote, () => [])),
    ...(cuda ? { cuda } : {}),
    recording: `${id}.hdl.gz`,
  }
}

export const lessons: readonly Lesson[] = Object.entries(words)
  .map(([path, each]) => lessonOf(path, each))
  .sort((a, b) => a.number - b.number)

export const findLesson = (id: string): Lesson | undefined => lessons.find((lesson) => lesson.id === id)
