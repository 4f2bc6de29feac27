/**
 * `virtual:library-recordings`: recordings of pages of other libraries (`npm run bench -- libraries`) and what they show, worked out of them
 * anew by each build. Library, version and licence were marked in the recording by the page itself.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { reported } from '../cli/reported-page'
import { marksOf, adapterNameOf } from '../src/trace/schema'
import { libraryWords } from './library-words'
import { exported, virtualModules } from './virtual-modules'

const FOLDER = join(import.meta.dirname, '../public/recordings/libraries')

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
  const { trace, report } = await reported(join(FOLDER, `${name}.hdl.gz`))
  const marks = marksOf(trace)
  const marked = (what: string) =>
    marks.find((mark) => mark.startsWith(`${what}: `))?.slice(`${what}: `.length) ?? null
  const [library, checked] = [marked('library'), marked('checked')]
  if (library === null || checked === null)
    throw new Error(`${name}.hdl.gz does not say which library it is of, or was not checked by its page.`)
  const [title = '', licence = ''] = library.split(', ')
  return {
    id: `library-${name}`,
    file: `libraries/${name}.hdl.gz`,
    title,
    licence,
    adapter: adapterNameOf(trace.info),
    day: trace.info.startedAt.slice(0, 10),
    does:
      does === BOXES && report.url.endsWith('?texture')
        ? `${does} Drawn into a texture in place of a canvas.`
        : does,
    checked,
    ...libraryWords(report),
  }
}

export const libraryRecordings = () =>
  virtualModules({
    'library-recordings': async () => {
      const kept = PAGES.filter(({ name }) => existsSync(join(FOLDER, `${name}.hdl.gz`)))
      return exported({ libraries: await Promise.all(kept.map(read)) })
    },
  })
