/** Source files as they were highlighted while the site was built, each loaded when first shown. */
import { use } from 'react'

export type Token = string | readonly [text: string, kind: string]
export type HighlightedLines = readonly (readonly Token[])[]
type Load = () => Promise<HighlightedLines>

const shaderFiles = import.meta.glob<HighlightedLines>('../../../shaders/**/*.wgsl', {
  query: '?highlight',
  import: 'lines',
})
const lessonFiles = import.meta.glob<HighlightedLines>('../../lessons/*/code/*', {
  query: '?highlight',
  import: 'lines',
})

const programFiles = import.meta.glob<HighlightedLines>('../../experiments/*/programs/*.js', {
  query: '?highlight',
  import: 'lines',
})

const asked = new Map<string, Promise<HighlightedLines | null>>()
/** One promise a file, so that React's `use` can wait for it. */
function once(path: string, load: Load | undefined): Promise<HighlightedLines | null> {
  const known = asked.get(path)
  if (known) return known
  const loading = load ? load() : Promise.resolve(null)
  asked.set(path, loading)
  return loading
}

/** `path` as an experiment names it: 'shaders/matmul/tiled.wgsl'. Null where there is no such file. */
export const useShader = (path: string): HighlightedLines | null => use(once(path, shaderFile(path)))

export const plain = (source: string): HighlightedLines =>
  source
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => (line === '' ? [] : [line]))

export const textOf = (lines: HighlightedLines): string =>
  lines.map((line) => line.map((token) => (typeof token === 'string' ? token : token[0])).join('')).join('\n')

/** Where a lesson's block was highlighted from; for the test that every block has its file. */
export function lessonFile(lesson: string, dialect: string): readonly [path: string, load: Load | undefined] {
  const prefix = `../../lessons/${lesson}/code/${dialect}.`
  const path = Object.keys(lessonFiles).find((file) => file.startsWith(prefix)) ?? prefix
  return [path, lessonFiles[path]]
}
export const shaderFile = (path: string): Load | undefined => shaderFiles[`../../../${path}`]

export const programFile = (experiment: string, program: string): Load | undefined =>
  programFiles[`../../experiments/${experiment}/programs/${program}.js`]

/** The text of a program, which is the text that runs. Null where there is no such file. */
export const useProgram = (experiment: string, program: string): HighlightedLines | null =>
  use(once(`${experiment}/${program}.js`, programFile(experiment, program)))

/** A lesson's code block: its file is named after its dialect. The block's own text is what counts, coloured or not. */
export function useLessonCode(lesson: string, dialect: string, source: string): HighlightedLines {
  const lines = use(once(...lessonFile(lesson, dialect)))
  return lines && textOf(lines) === textOf(plain(source)) ? lines : plain(source)
}
