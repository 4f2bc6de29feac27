import { execFileSync } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, it, onTestFinished } from 'vitest'
import { recorderFile } from './recorder-file'

it('is one file of at most 22 kB gzipped, and gives what its types say', async () => {
  const files = new Map<string, string>()
  const folder = await mkdtemp(join(tmpdir(), 'recorder-package-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await recorderFile(folder).generateBundle.call({
    emitFile: ({ fileName, source }) => files.set(fileName, source),
  })
  const script = files.get('recorder.js') ?? ''
  expect(gzipSync(script).length).toBeLessThanOrEqual(22_000)
  expect(script).not.toMatch(/\bimport\b(?!\.meta)/)
  const recorder = (await import(
    `data:text/javascript;base64,${Buffer.from(script).toString('base64')}`
  )) as object
  const typed = [...(files.get('recorder.d.ts') ?? '').matchAll(/^export function (\w+)/gm)]
  expect(Object.keys(recorder).toSorted()).toEqual(typed.map(([, name]) => name).toSorted())

  // What `npm pack` makes a file of: the same, with its types, and a README whose names it has.
  const [packed] = JSON.parse(
    execFileSync('npm', ['pack', '--dry-run', '--json'], { cwd: folder, encoding: 'utf8' }),
  ) as readonly { readonly files: readonly { readonly path: string }[] }[]
  expect(packed?.files.map(({ path }) => path).toSorted()).toEqual([
    'LICENSE',
    'README.md',
    'package.json',
    'recorder.d.ts',
    'recorder.js',
  ])
  expect(await readFile(join(folder, 'recorder.js'), 'utf8')).toBe(script)
  const readme = await readFile(join(folder, 'README.md'), 'utf8')
  const [, imported = ''] = /import \{ (.*) \} from/.exec(readme) ?? []
  expect(typed.map(([, name]) => name)).toEqual(expect.arrayContaining(imported.split(', ')))
})
