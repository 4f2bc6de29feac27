/** Source files as they were highlighted while the site was built, each loaded when first shown. */
import { use } from 'react'
import { plain, textOf, type HighlightedLines } from './lines'

type Load = () => Promise<HighlightedLines>

const files = import.meta.glob<HighlightedLines>(
  [
    '../../../../shaders/**/*.wgsl',
    '../../../experiments/*/programs/*.js',
    '../../../lessons/*/code/pytorch.py',
    '../../../lessons/*/mend/reference.*',
  ],
  { query: '?highlight', import: 'lines' },
)

/** @internal */
export const shaderFile = (path: string): Load | undefined => files[`../../../../${path}`]

/** @internal */
export const programFile = (experiment: string, program: string): Load | undefined =>
  files[`../../../experiments/${experiment}/programs/${program}.js`]

/** @internal */
export const pyTorchFile = (lesson: string): Load | undefined =>
  files[`../../../lessons/${lesson}/code/pytorch.py`]

const referenceFile = (lesson: string, language: 'javascript' | 'wgsl'): Load | undefined =>
  files[`../../lessons/${lesson}/mend/reference.${language === 'wgsl' ? 'wgsl' : 'js'}`]

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

/** The text of a program, which is the text that runs. Null where there is no such file. */
export const useProgram = (experiment: string, program: string): HighlightedLines | null =>
  use(once(`${experiment}/${program}.js`, programFile(experiment, program)))

/** A lesson's PyTorch side. Its own text is what counts, coloured or not. */
export function usePyTorch(lesson: string, source: string): HighlightedLines {
  const lines = use(once(`${lesson}/pytorch.py`, pyTorchFile(lesson)))
  return lines && textOf(lines) === textOf(plain(source)) ? lines : plain(source)
}

/** The lab's own mend of a lesson. A rung before the last has a text of its own, without colours. */
export function useReference(
  lesson: string,
  language: 'javascript' | 'wgsl',
  source: string,
): HighlightedLines {
  const lines = use(once(`${lesson}/reference`, referenceFile(lesson, language)))
  return lines && textOf(lines) === textOf(plain(source)) ? lines : plain(source)
}
