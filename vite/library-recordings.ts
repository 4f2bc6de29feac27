/**
 * Recordings of pages of other libraries (`npm run bench -- libraries`). Each page marks in its
 * recording which library it is of, and what it checked.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { decodeRun } from '../src/trace/codec'
import { marksOf } from '../src/trace/schema'
import { RECORDINGS, recordingBytes } from './recordings'

const BOXES = 'The same boxes in each engine, every one turned in each frame.'
const NETWORK = 'A small network, batch by batch; each answer is read before the next batch.'
/** What each page does: bench/libraries/programs. */
const PAGES = [
  { name: 'three', does: BOXES },
  { name: 'playcanvas', does: BOXES },
  { name: 'tensorflow', does: NETWORK },
  { name: 'jax', does: NETWORK },
] as const

async function read({ name, does }: (typeof PAGES)[number]) {
  const file = `libraries/${name}.hdl.gz`
  const run = await decodeRun(recordingBytes(file))
  const marks = run.ok ? marksOf(run.value.trace) : []
  const [library, checked] = ['library: ', 'checked: '].map((what) =>
    marks.find((mark) => mark.startsWith(what))?.slice(what.length),
  )
  if (library === undefined || checked === undefined)
    throw new Error(`${file} does not say which library it is of, or was not checked by its page.`)
  return { id: `library-${name}`, file, title: library.replace(/, .*/, ''), does, checked }
}

export async function libraryRecordings() {
  const kept = PAGES.filter(({ name }) => existsSync(join(RECORDINGS, 'libraries', `${name}.hdl.gz`)))
  return { libraries: await Promise.all(kept.map(read)) }
}
