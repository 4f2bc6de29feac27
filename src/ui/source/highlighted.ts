/** Source files as they were highlighted while the site was built, each loaded when first shown. */
import { use } from 'react'
import { plain, textOf, type HighlightedLines } from './lines'

type Load = () => Promise<HighlightedLines>

const shaderFiles = import.meta.glob<HighlightedLines>('../../../shaders/**/*.wgsl', {
  query: '?highlight',
  import: 'lines',
})
const lessonFiles = import.meta.glob<HighlightedLines>('../../lessons/*/code/pytorch.py', {
  query: '?highlight',
  import: 'lines',
})

const programFiles = import.meta.glob<HighlightedLines>('../../experiments/*/programs/*.js', {
  query: '?highlight',
  import: 'lines',
})

const referenceFiles = import.meta.glob<HighlightedLines>('../../lessons/*/mend/reference.*', {
  query: '?highlight',
  import: 'lines',
})

const asked = new Map<string, Promise<HighlightedLines | null>>()
/** One promise a file, so that React's `use` can wait for it. */
export function once(path: string, load: Load | undefined): Promise<HighlightedLines | null> {
  const known = asked.get(path)
  if (known) return known
  const loading = load ? load() : Promise.resolve(null)
  asked.set(path, loading)
  return loading
}

/** `path` as an experiment names it: 'shaders/matmul/tiled.wgsl'. Null where there is no such file. */
export const useShader = (path: string): HighlightedLines | null => use(once(path, shaderFile(path)))

export const shaderFile = (path: string): Load | undefined => shaderFiles[`../../../${path}`]

export const programFile = (experiment: string, program: string): Load | undefined =>
  programFiles[`../../experiments/${experiment}/programs/${program}.js`]

/** The text of a program, which is the text that runs. Null where there is no such file. */
export const useProgram = (experiment: string, program: string): HighlightedLines | null =>
  use(once(`${experiment}/${program}.js`, programFile(experiment, program)))

export const pyTorchFile = (lesson: string): Load | undefined =>
  lessonFiles[`../../lessons/${lesson}/code/pytorch.py`]

/** A lesson's PyTorch side. Its own text is what counts, coloured or not. */
export function usePyTorch(lesson: string, source: string): HighlightedLines {
  const lines = use(once(`${lesson}/pytorch.py`, pyTorchFile(lesson)))
  return lines && textOf(lines) === textOf(plain(source)) ? lines : plain(source)
}

/** The lab's own mend of a lesson. Null where there is none. */
export const useReference = (lesson: string, language: 'javascript' | 'wgsl'): HighlightedLines | null => {
  const path = `../../lessons/${lesson}/mend/reference.${language === 'wgsl' ? 'wgsl' : 'js'}`
  return use(once(path, referenceFiles[path]))
}
