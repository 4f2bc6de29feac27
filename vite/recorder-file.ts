/**
 * `recorder.js`, with its types: the recorder for pages that are not the lab's (src/recorder/page.ts), as one file beside the site, and as a
 * package in dist-recorder/, where `npm pack` makes a file of it.
 */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Plugin } from 'vite'
import { bundleModule } from './bundle-module'

const ROOT = join(import.meta.dirname, '..')
const ENTRY = join(ROOT, 'src/recorder/page.ts')

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
      const script = await recorderScript('es')
      this.emitFile({ type: 'asset', fileName: 'recorder.js', source: script })
      this.emitFile({ type: 'asset', fileName: 'recorder.d.ts', source: RECORDER_TYPES })
      await writePackage(folder, script)
    },
  }) satisfies Plugin

async function writePackage(folder: string, script: string): Promise<void> {
  const own = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as PackageOfLab // it is this repository's
  const files = {
    'recorder.js': script,
    'recorder.d.ts': RECORDER_TYPES,
    'README.md': README,
    LICENSE: await readFile(join(ROOT, 'LICENSE'), 'utf8'),
    'package.json': `${JSON.stringify(
      {
        name: `${own.name}-recorder`,
        version: own.version,
        description: 'Records the WebGPU of a page: host, queue, staging and device on one timeline.',
        license: own.license,
        type: 'module',
        sideEffects: false,
        exports: { '.': { types: './recorder.d.ts', default: './recorder.js' } },
        files: ['recorder.js', 'recorder.d.ts'],
      },
      null,
      2,
    )}\n`,
  }
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
}

interface PackageOfLab {
  readonly name: string
  readonly version: string
  readonly license: string
}

const README = `# host-device-lab-recorder

Records what a page or a worker does with WebGPU: encoding, submits, waits, uploads, staging and
readback buffers, frames, and on devices with timestamps when each pass ran.

\`\`\`js
import { start, mark, stop, save, openInLab } from 'host-device-lab-recorder'

start() // before the page asks for its device
mark('scene loaded')
await stop()
const file = await save() // a Blob: run.hdl.gz
button.onclick = () => openInLab('https://your.site/lab/') // a site that the lab is on
\`\`\`

Nothing is patched until \`start\`, and after \`stop\` every property is as before. Nothing is
uploaded: \`openInLab\` hands the file from one window of the browser to another. It is called at a
click, and not from an isolated page or a worker: these \`save\` a file.

- A device that was made before \`start\` has no timestamps unless the page asked for them.
- A pass with timestamps of the page's own gets no others: these are read when the page resolves
  them.
- Draws, binds and dispatches are counted, not kept one by one.
- Two timestamps are written for each pass. \`start({ timestamps: false })\` leaves them out.
`

const RECORDER_TYPES = `export interface StartOptions {
  /** False: passes get no timestamps, and the trace has no lane of a device. Default: true. */
  readonly timestamps?: boolean | undefined
}
/** Begins to record. @throws Error where this page has no WebGPU, or is being recorded already */
export function start(options?: StartOptions): void
/** A moment with a name. @throws Error where nothing is being recorded */
export function mark(name: string): void
/** Tasks of this thread of at least a ms, all that there were: of who traces the browser. Times by performance.now(). @throws Error where nothing is being recorded */
export function addTasks(times: readonly (readonly [startMs: number, endMs: number])[]): void
/** What there is of the recording, not gzipped; null where it is too much to take in passing, or none. */
export function soFar(): Uint8Array | null
/** Reads what the device still holds, puts everything back, and ends. @throws Error where nothing is being recorded */
export function stop(): Promise<void>
/** The recording as a file of the Host/Device Lab, gzipped: 'run.hdl.gz'. Ends it where it is on. @throws Error where there is none */
export function save(): Promise<Blob>
/**
 * Opens the recording in the lab, in a window of its own; nothing is uploaded. Ends it where it is on. Called at a click.
 *
 * @param lab the address of a site that the lab is on
 * @throws Error where no window opens, the lab does not answer, or there is no recording
 */
export function openInLab(lab: string): Promise<void>
`
