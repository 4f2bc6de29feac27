/**
 * recorder.js itself, on the fake WebGPU: copies of it in one realm, and what asks for its file.
 */
import { beforeEach, expect, it, vi } from 'vitest'
import { asDevice, submitPass } from './testing/record'
import { FakeDevice, fakeRealm } from '../testing/fake-webgpu'

const CLASSES = Object.entries(fakeRealm).flatMap(([name, of]) =>
  name.startsWith('GPU') ? [[name, of as { readonly prototype: object }] as const] : [],
)
/**
 * What a recording may change, by name. Of the realm itself its timers: Node defines other globals
 * late.
 */
function remembered(): Map<string, unknown> {
  const all = new Map<string, unknown>()
  for (const name of ['setTimeout', 'setInterval'] as const) all.set(name, globalThis[name])
  for (const [of, { prototype }] of CLASSES)
    for (const [name, now] of Object.entries(Object.getOwnPropertyDescriptors(prototype)))
      for (const part of ['value', 'get', 'set', 'writable', 'enumerable', 'configurable'] as const)
        all.set(`${of}.${name} ${part}`, now[part])
  return all
}
const changedSince = (before: ReadonlyMap<string, unknown>): readonly string[] => {
  const now = remembered()
  return [...new Set([...before.keys(), ...now.keys()])].filter((name) => before.get(name) !== now.get(name))
}
const copy = async () => {
  vi.resetModules()
  return await import('./page')
}

beforeEach(() => {
  for (const [name, of] of CLASSES) vi.stubGlobal(name, of)
  vi.stubGlobal('location', { href: 'http://a.test/' })
  vi.stubGlobal('crossOriginIsolated', true)
  vi.stubGlobal('navigator', { userAgent: 'test' })
})

it('a second copy is refused in plain words, and leaves the first one’s patches alone', async () => {
  const [first, second] = [await copy(), await copy()]
  const before = remembered()
  first.start()
  const during = remembered()
  expect(changedSince(before)).toContain('GPUQueue.submit value')
  expect(() => second.start()).toThrow('This page is being recorded already.')
  expect(() => first.start()).toThrow('This page is being recorded already.')
  expect(changedSince(during)).toEqual([])
  await first.stop()
  expect(changedSince(before)).toEqual([])
  // Its turn has come.
  second.start()
  await second.stop()
  expect(changedSince(before)).toEqual([])
})

it('two save() at once give the same file, and end the recording once', async () => {
  const { start, save } = await copy()
  const before = remembered()
  start()
  submitPass(asDevice(new FakeDevice({})), 'a')
  const files = await Promise.all([save(), save()])
  const bytes = await Promise.all(files.map((file) => file.arrayBuffer()))
  expect(bytes[0]?.byteLength).toBeGreaterThan(100)
  expect(bytes[1]).toEqual(bytes[0])
  expect(changedSince(before)).toEqual([])
})

it.each([['before'], ['after']])('what a page patches %s the start is as before, or named', async (when) => {
  const { start, stop } = await copy()
  const prototype = fakeRealm.GPUQueue.prototype as {
    submit: (commands: Iterable<GPUCommandBuffer>) => undefined
  }
  const native = prototype.submit
  const patched: typeof native = (commands) => native.call(prototype, commands)
  if (when === 'before') prototype.submit = patched
  start()
  if (when === 'after') prototype.submit = patched
  await stop()
  expect(prototype.submit).toBe(when === 'before' ? patched : native)
  prototype.submit = native
})
