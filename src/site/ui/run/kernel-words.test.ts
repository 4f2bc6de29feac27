import { expect, it } from 'vitest'
import { kernelWords } from './kernel-words'

const chosen = { kernel: 'Tiled 16×16×16', kernelTrialShape: '512 × 512 × 512', kernelTrials: 9 }

it('says which kernel was chosen, and by what', () => {
  const words = (kernelOrigin: string) => kernelWords({ derived: { ...chosen, kernelOrigin } })
  expect(words('measured')).toBe('Tiled 16×16×16 chosen for 512 × 512 × 512 by trials of 9 kernels')
  expect(words('remembered')).toBe(
    'Tiled 16×16×16 chosen for 512 × 512 × 512 by earlier trials, its result checked again',
  )
  expect(words('only-candidate')).toBe('Tiled 16×16×16, the only kernel that runs here for 512 × 512 × 512')
})

it('says nothing where the kernel was named, or a file says something strange', () => {
  expect(kernelWords({ derived: {} })).toBeNull()
  expect(kernelWords({ derived: { kernel: 3, kernelOrigin: 'measured' } })).toBeNull()
  expect(kernelWords({ derived: { ...chosen, kernelOrigin: 'dreamt' } })).toBeNull()
})
