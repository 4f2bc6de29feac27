import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { recorderFile } from './recorder-file'

it('is one file of at most 20 kB gzipped, and gives what its types say', async () => {
  const files = new Map<string, string>()
  await recorderFile().generateBundle.call({
    emitFile: ({ fileName, source }) => files.set(fileName, source),
  })
  const script = files.get('recorder.js') ?? ''
  expect(gzipSync(script).length).toBeLessThanOrEqual(20_000)
  expect(script).not.toMatch(/\bimport\b(?!\.meta)/)
  const recorder = (await import(
    `data:text/javascript;base64,${Buffer.from(script).toString('base64')}`
  )) as object
  const typed = [...(files.get('recorder.d.ts') ?? '').matchAll(/^export function (\w+)/gm)]
  expect(Object.keys(recorder).toSorted()).toEqual(typed.map(([, name]) => name).toSorted())
})
