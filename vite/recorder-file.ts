/** `recorder.js`, with its types: the recorder for pages that are not the lab's (src/recorder/page.ts), as one file beside the site. */
import { join } from 'node:path'
import { build, type Plugin } from 'vite'

const ENTRY = join(import.meta.dirname, '../src/recorder/page.ts')

/** One module that imports nothing, or a script that sets `recorder`. @throws Error where Vite builds nothing of it */
export async function recorderScript(format: 'es' | 'iife'): Promise<string> {
  const output = await build({
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    build: {
      write: false,
      target: 'es2023',
      modulePreload: false,
      // Not as a library, of which Vite leaves the spaces.
      rolldownOptions: {
        input: ENTRY,
        preserveEntrySignatures: 'strict',
        output: { format, name: 'recorder' },
      },
    },
  })
  const chunks = [output].flat().flatMap((one) => ('output' in one ? one.output : []))
  const [chunk, ...others] = chunks.filter((one) => one.type === 'chunk')
  if (!chunk || others.length > 0) throw new Error(`${ENTRY} does not become one file.`)
  return chunk.code
}

/** What of Vite's context it uses. */
interface Emitter {
  emitFile: (file: { readonly type: 'asset'; readonly fileName: string; readonly source: string }) => unknown
}

export const recorderFile = () =>
  ({
    name: 'recorder-file',
    apply: 'build',
    async generateBundle(this: Emitter) {
      this.emitFile({ type: 'asset', fileName: 'recorder.js', source: await recorderScript('es') })
      this.emitFile({ type: 'asset', fileName: 'recorder.d.ts', source: RECORDER_TYPES })
    },
  }) satisfies Plugin

const RECORDER_TYPES = `export interface StartOptions {
  /** False: passes get no timestamps, and the trace has no lane of a device. Default: true. */
  readonly timestamps?: boolean | undefined
}
/** Begins to record. @throws Error where this page has no WebGPU, or is being recorded already */
export function start(options?: StartOptions): void
/** A moment with a name. @throws Error where nothing is being recorded */
export function mark(name: string): void
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
