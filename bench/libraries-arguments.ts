/** What `npm run bench -- libraries …` was asked for. */
import { join } from 'node:path'
import { CommandError } from '../cli/terminal.mjs'
import { LIBRARY_PAGES } from './libraries-page'
import { optionsAlone } from '../cli/strict-arguments'

export const LIBRARIES_USAGE = `  npm run bench -- libraries [--adapter gpu|software] [--only NAME,…] [--texture] [--prebuilt] [--out DIR]
      Records pages of ${Object.keys(LIBRARY_PAGES).join(', ')}: DIR/NAME.hdl.gz (left out: lab-out/libraries). Each page checks its own result.
      --texture   boxes are drawn into a texture in place of a canvas; on software always.
      --prebuilt  takes dist-pages/ as it stands, without looking whether packages are installed.
  npm run bench -- libraries --build [--only NAME,…]
      Builds dist-pages/, which --prebuilt takes.`

/** Throws CommandError with exit code 2. */
export function librariesArguments(argv: readonly string[]) {
  const values = optionsAlone(argv, OPTIONS)
  const { adapter } = values
  if (adapter !== 'gpu' && adapter !== 'software')
    throw new CommandError(`--adapter must be gpu or software; got '${adapter}'.`, 2)
  const names = values.only?.split(',') ?? Object.keys(LIBRARY_PAGES)
  const unknown = names.find((name) => !(name in LIBRARY_PAGES))
  if (unknown !== undefined)
    throw new CommandError(`--only takes ${Object.keys(LIBRARY_PAGES).join(', ')}; got '${unknown}'.`, 2)
  return {
    adapter,
    names,
    build: values.build,
    prebuilt: values.prebuilt,
    // A canvas ends the process of Chromium's software adapter (Chromium 156), with a recorder and without.
    query: values.texture || adapter === 'software' ? '?texture' : '',
    out: values.out,
  } as const
}

const OPTIONS = {
  adapter: { type: 'string', default: 'gpu' },
  only: { type: 'string' },
  texture: { type: 'boolean', default: false },
  build: { type: 'boolean', default: false },
  prebuilt: { type: 'boolean', default: false },
  out: { type: 'string', default: join('lab-out', 'libraries') },
} as const

export type LibrariesArguments = ReturnType<typeof librariesArguments>
