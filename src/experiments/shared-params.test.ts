import { existsSync } from 'node:fs'
import { expect, it } from 'vitest'
import { matmulKernels } from '../kernels/catalog'
import { kernelParam, matmulSources, TUNED } from './shared-params'

it('offers the kernels of the catalog, in its order and by its titles', () => {
  const kernels = matmulKernels.map(({ id, title }) => ({ value: id, label: title }))
  expect(kernelParam.options.filter(({ value }) => value !== TUNED)).toEqual(kernels)
  expect(kernelParam.options.at(-1)?.value).toBe(TUNED)
  expect(kernelParam.options.map(({ value }) => value)).toContain(kernelParam.default)
})

it('names the WGSL of every kernel, and only files that there are', () => {
  for (const { file } of matmulKernels) expect(matmulSources).toContain(file)
  for (const file of matmulSources) expect(existsSync(file), file).toBe(true)
})
