import { expect, it } from 'vitest'
import { droppedFiles } from './dropped-files'

const file = (name: string) => new File(['{}'], name)
const fileEntry = (name: string) => ({
  name,
  isFile: true,
  isDirectory: false,
  file: (done: (made: File) => void) => done(file(name)),
})

/** Entries come in portions of two. */
function folder(name: string, names: readonly string[]) {
  const left: unknown[] = [...names.map(fileEntry), { name: 'nested.json', isFile: false, isDirectory: true }]
  const readEntries = (done: (entries: readonly unknown[]) => void) => done(left.splice(0, 2))
  return { name, isFile: false, isDirectory: true, createReader: () => ({ readEntries }) }
}

async function namesOf(...entries: readonly (string | ReturnType<typeof folder>)[]) {
  const items = entries.map((entry) => ({
    webkitGetAsEntry: () => (typeof entry === 'string' ? fileEntry(entry) : entry),
    getAsFile: () => file(typeof entry === 'string' ? entry : entry.name),
  }))
  const files = await droppedFiles({ items } as unknown as DataTransfer)
  return files.map(({ name }) => name)
}

it('takes files as they are, and of folders those that can be opened', async () => {
  expect(await namesOf('a.json', 'b.txt')).toEqual(['a.json', 'b.txt'])
  const ranks = ['rank0.pt.trace.json', '.hidden.json', 'rank1.pt.trace.json.gz', 'loss.png', 'run.hdl']
  expect(await namesOf('a.json', folder('log', ranks))).toEqual([
    'a.json',
    'rank0.pt.trace.json',
    'rank1.pt.trace.json.gz',
    'run.hdl',
  ])
})

it('gives a folder itself where nothing in it can be opened, so that it is refused by name', async () => {
  expect(await namesOf(folder('log', ['loss.png']))).toEqual(['log'])
})
