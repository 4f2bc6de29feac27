/**
 * `recorder.js`, with its types: the recorder for pages that are not the lab's
 * (src/recorder/page.ts), as one file beside the site, and as a package in dist-recorder/, where
 * `npm pack` makes a file of it.
 */
import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Plugin } from 'vite'
import { bundleModule } from './bundle-module'

const ROOT = join(import.meta.dirname, '..')
const ENTRY = join(ROOT, 'src/recorder/page.ts')
const PACKAGE = join(ROOT, 'src/recorder/package')

/** One module that imports nothing, or a script that sets `recorder`. */
export const recorderScript = (format: 'es' | 'iife'): Promise<string> =>
  bundleModule(ENTRY, { format, name: 'recorder' })

/** What of Vite's context it uses. */
interface Emitter {
  emitFile: (file: { readonly type: 'asset'; readonly fileName: string; readonly source: string }) => unknown
}

export const recorderFile = (folder = join(ROOT, 'dist-recorder')) =>
  ({
    name: 'recorder-file',
    apply: 'build',
    async generateBundle(this: Emitter) {
      const files = {
        'recorder.js': await recorderScript('es'),
        'recorder.d.ts': await readFile(join(PACKAGE, 'recorder.d.ts'), 'utf8'),
      }
      for (const [fileName, source] of Object.entries(files))
        this.emitFile({ type: 'asset', fileName, source })
      await writePackage(folder, files)
    },
  }) satisfies Plugin

async function writePackage(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  const own = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as Readonly<
    Record<'name' | 'version' | 'license', string>
  > // it is this repository's
  const manifest = {
    name: `${own.name}-recorder`,
    version: own.version,
    description: 'Records the WebGPU of a page: host, queue, staging and device on one timeline.',
    license: own.license,
    type: 'module',
    sideEffects: false,
    exports: { '.': { types: './recorder.d.ts', default: './recorder.js' } },
    files: Object.keys(files),
  }
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  for (const file of [join(PACKAGE, 'README.md'), join(ROOT, 'LICENSE')])
    await copyFile(file, join(folder, basename(file)))
  const json = `${JSON.stringify(manifest, null, 2)}\n`
  for (const [name, text] of Object.entries({ ...files, 'package.json': json }))
    await writeFile(join(folder, name), text)
}
