/**
 * In a worker whose browser has WebGPU too: there is one WebGPU while a program runs on the model,
 * and it is the model's.
 */
import { expect, it, vi } from 'vitest'
import { ModelBuffer } from './buffer'
import { h200 } from './machines/h200'
import { Machine } from './machine'
import { realmOf } from './realm'

class OfBrowser {
  lose(): void {
    // The model has no such class.
  }
}
const seen = (name: string): unknown => (globalThis as unknown as Readonly<Record<string, unknown>>)[name]

it('hides classes of the browser’s own, puts the model’s in place, and gives both back', async () => {
  const names = ['GPUExternalTexture', 'GPUBuffer']
  for (const name of names) vi.stubGlobal(name, OfBrowser)
  const { run } = realmOf(new Machine(h200))
  const [unknown, buffer] = await run(() => Promise.resolve(names.map(seen)))
  expect(unknown).toBeUndefined()
  expect(buffer).toBe(ModelBuffer)
  expect(names.map(seen)).toEqual([OfBrowser, OfBrowser])
})
