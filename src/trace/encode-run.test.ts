/**
 * The writer of a run is part of a script that other pages load: neither the decoder nor its checks
 * may come with it.
 */
import { gzipSync } from 'node:zlib'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { bundleModule } from '../../vite/bundle-module'

const gzippedBytes = async (file: string): Promise<number> =>
  gzipSync(await bundleModule(join(import.meta.dirname, file))).length

it('is small without the decoder, which is several times its size', async () => {
  const writing = await gzippedBytes('encode-run.ts')
  expect(writing).toBeLessThan(3000)
  // Guards against a bundle that holds nothing.
  expect(await gzippedBytes('codec.ts')).toBeGreaterThan(3 * writing)
})
