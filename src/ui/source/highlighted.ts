/** Source files as they were highlighted while the site was built, each loaded when first shown. */
import type { HighlightedLines } from './lines'

export type Load = () => Promise<HighlightedLines>

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

export const shaderFile = (path: string): Load | undefined => shaderFiles[`../../../${path}`]

export const programFile = (experiment: string, program: string): Load | undefined =>
  programFiles[`../../experiments/${experiment}/programs/${program}.js`]

export const pyTorchFile = (lesson: string): Load | undefined =>
  lessonFiles[`../../lessons/${lesson}/code/pytorch.py`]

export const referenceFile = (lesson: string, language: 'javascript' | 'wgsl'): Load | undefined =>
  referenceFiles[`../../lessons/${lesson}/mend/reference.${language === 'wgsl' ? 'wgsl' : 'js'}`]
