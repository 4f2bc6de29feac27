/**
 * Every matmul kernel with every tile against the float64 reference, all entries compared: one
 * entry, one row, one column, primes, sizes that are no multiples of four, whole tiles, and a
 * little more and a little less than tiles.
 */
import { expect } from './fixtures'
import { ownPage } from './own-page'
import { sharing } from './shared-page'
import type { KernelLab, KernelNames } from './kernel-page/kernel-page'
import type { Page } from '@playwright/test'

type KernelGlobal = typeof globalThis & { readonly kernelLab: KernelLab }
type Size = readonly [m: number, n: number, k: number]

const IDS = [
  'naive',
  'coalesced',
  'tiled',
  'register-blocked',
  'vectorised',
  'pipelined',
  'direct',
  'vector-matrix',
  'specialised',
]
/** Those for which a shape may be constants. */
const WITH_SHAPE: readonly string[] = ['vector-matrix', 'specialised']
/** A software adapter compiles these for seconds a tile: some of them there, and all on a GPU. */
const IN_SOFTWARE: Readonly<Record<string, readonly string[]>> = {
  vectorised: ['32×16×4'],
  pipelined: ['64×64×16'],
  'vector-matrix': ['1×32×128'],
}

const test = sharing()

const openOwnPage = ownPage('kernel', 'kernelLab')

/** An empty page of this site, with the kernels in it. */
async function openKernels(page: Page): Promise<readonly KernelNames[]> {
  await openOwnPage(page)
  return await page.evaluate(() => (globalThis as KernelGlobal).kernelLab.kernels())
}

async function check(
  page: Page,
  id: string,
  tile: string,
  [m, n, k]: Size,
  accumulate: boolean,
  isOwn = false,
): Promise<void> {
  const shape = { m, n, k, alpha: accumulate ? -0.75 : 1, accumulate }
  const result = await page.evaluate(
    ([kernelId, tileName, one, own]) =>
      (globalThis as KernelGlobal).kernelLab.check(kernelId, tileName, one, own),
    [id, tile, shape, isOwn] as const,
  )
  const where = `${id} ${tile}, ${String(m)} × ${String(n)} × ${String(k)}${accumulate ? ', accumulating' : ''}${isOwn ? ', own pipeline' : ''}`
  expect(result.checked, where).toBe(m * n)
  expect(result.failed, `${where}: ${JSON.stringify(result)}`).toBe(0)
  expect(result.guardIsWhole, `${where}: what stands behind C`).toBe(true)
}

const ODD: readonly Size[] = [
  [1, 1, 1],
  [1, 67, 130],
  [67, 1, 37],
  [37, 53, 1],
  [67, 71, 73],
  [4, 4, 4],
  [1, 68, 20],
]

for (const id of IDS) {
  test(`${id}: any shape, with every tile`, async ({ page }, { project }) => {
    const isAll = project.name === 'gpu'
    test.skip(id === 'specialised' && !isAll, 'a software adapter compiles it for 15 s')
    const kernel = (await openKernels(page)).find((one) => one.id === id)
    if (!kernel) throw new Error(`The catalog has no ${id}.`)
    test.slow(id === 'specialised' || id in IN_SOFTWARE)
    const inSoftware = isAll ? undefined : IN_SOFTWARE[id]
    const tiles = kernel.tiles.filter(({ name }) => inSoftware?.includes(name) ?? true)
    expect(tiles.length).toBeGreaterThan(0)
    for (const [index, { name, size }] of tiles.entries()) {
      const [rows, columns, depth] = size
      // What does not accumulate is another pipeline, a second or two of compiling: one tile of
      // each kernel shows it. Specialised stores by the files of vector-matrix, and pipelined by
      // those of vectorised.
      const isFirst = index === 0 && id !== 'specialised' && (isAll || id !== 'pipelined')
      for (const shape of ODD) await check(page, id, name, shape, !isFirst)
      // Whole tiles; cut tiles whose rows are still fours; one more and one less than tiles.
      await check(page, id, name, [2 * rows, columns, 2 * depth], true)
      await check(page, id, name, [rows + 3, columns + 4, depth + 4], true)
      await check(page, id, name, [rows + 1, columns + 1, depth + 1], true)
      await check(page, id, name, [2 * rows - 1, columns - 1, Math.max(1, depth - 1)], true)
      // With the shape as constants: a pipeline for each.
      if (!WITH_SHAPE.includes(id)) continue
      await check(page, id, name, [67, 71, 73], true, true)
      if (isAll || isFirst) await check(page, id, name, [rows + 3, columns + 4, 2 * depth + 4], true, true)
    }
  })
}

test('every kernel of the catalog is checked here', async ({ page }) =>
  expect((await openKernels(page)).map(({ id }) => id)).toEqual(IDS))
