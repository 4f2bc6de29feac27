/** Parameters that several experiments have in common. */
import type { ChoiceParam, NumberParam } from './experiment'

export const kernelParam: ChoiceParam = {
  type: 'choice',
  name: 'kernel',
  label: 'Matmul kernel',
  help: 'Which WGSL kernel multiplies; the matrix is sized anew for each.',
  place: 'more',
  default: 'register-blocked',
  options: [
    { value: 'naive', label: 'naive' },
    { value: 'tiled', label: 'tiled in workgroup memory' },
    { value: 'register-blocked', label: 'register-blocked' },
  ],
}

export const matrixSizeParam: NumberParam = {
  type: 'number',
  name: 'matrixSize',
  label: 'Matrix size',
  help: 'Rows and columns of each matrix; 0 sizes it from the measured rate. A size too slow for this device is refused.',
  place: 'more',
  default: 0,
  min: 0,
  max: 8192,
  integer: true,
  unit: '',
  scale: 'linear',
}

export const repeatsParam: NumberParam = {
  type: 'number',
  name: 'repeats',
  label: 'Repeats',
  help: 'How often each variant is measured; figures are medians over them. One more, first, warms up and is not counted.',
  place: 'more',
  default: 5,
  min: 1,
  max: 15,
  integer: true,
  unit: '',
  scale: 'linear',
}
