/** Source files as they were highlighted while the site was built, each loaded when first shown. */
import type { HighlightedLines } from './lines'

export type Load = () => Promise<HighlightedLines>

const files = import.meta.glob<HighlightedLines>(
  [
    '../../../../shaders/**/*.wgsl',
    '../../../experiments/*/programs/*.js',
    '../../../lessons/*/code/pytorch.py',
    '../../../lessons/*/mend/reference.*',
  ],
  { query: '?highlight', import: 'lines' },
)

export const shaderFile = (path: string): Load | undefined => files[`../../../../${path}`]

export const programFile = (experiment: string, program: string): Load | undefined =>
  files[`../../../experiments/${experiment}/programs/${program}.js`]

export const pyTorchFile = (lesson: string): Load | undefined =>
  files[`../../../lessons/${lesson}/code/pytorch.py`]

export const referenceFile = (lesson: string, language: 'javascript' | 'wgsl'): Load | undefined =>
  files[`../../lessons/${lesson}/mend/reference.${language === 'wgsl' ? 'wgsl' : 'js'}`]
