/** Source files in components, which wait for them. */
import { use } from 'react'
import { programFile, pyTorchFile, referenceFile, shaderFile, type Load } from './highlighted'
import { plain, textOf, type HighlightedLines } from './lines'

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
