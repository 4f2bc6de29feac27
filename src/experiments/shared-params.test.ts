import { existsSync } from 'node:fs'
import { expect, it } from 'vitest'
import { matmulKernels } from '../gpu/kernels/catalog'
import { matmulSources, shared } from './shared-params'

/** Without kernels for shapes of their own. */
const ladder = matmulKernels.filter(({ id }) => !['direct', 'vector-matrix', 'specialised'].includes(id))

it('offers the kernels of the ladder, in its order and by its titles', () => {
  const kernels = ladder.map(({ id, title }) => ({ value: id, label: title }))
  expect(shared.kernel.options).toEqual(kernels)
  expect(shared.kernel.options.map(({ value }) => value)).toContain(shared.kernel.default)
})

it('names the WGSL of every kernel, and only files that there are', () => {
  for (const { id } of ladder) expect(matmulSources).toContain(`shaders/matmul/${id}.wgsl`)
  for (const file of matmulSources) expect(existsSync(file), file).toBe(true)
})
