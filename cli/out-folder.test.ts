import { existsSync } from 'node:fs'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { makeFolder } from './out-folder'
import { CommandError } from './terminal.mjs'

it('is made, however deep, and left empty', async () => {
  const root = await mkdtemp(join(tmpdir(), 'out-folder-'))
  await makeFolder(join(root, 'a', 'b'))
  await makeFolder(join(root, 'a', 'b'))
  expect(await readdir(join(root, 'a', 'b'))).toEqual([])
  await rm(root, { recursive: true })
})

it('is refused where it is a file, or lies in one', async () => {
  const root = await mkdtemp(join(tmpdir(), 'out-folder-'))
  const file = join(root, 'file')
  await writeFile(file, '')
  for (const out of [file, join(file, 'below')]) await expect(makeFolder(out)).rejects.toThrow(CommandError)
  await rm(root, { recursive: true })
})

// In a kernel's own file system nothing can be made, by root neither; other systems have none.
it.runIf(existsSync('/proc/self'))(
  'is refused where it is there and nothing can be made in it',
  async () => await expect(makeFolder('/proc')).rejects.toThrow('Nothing can be written to --out'),
)
