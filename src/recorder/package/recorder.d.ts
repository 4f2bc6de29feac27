export interface StartOptions {
  /** False: passes get no timestamps, and the trace has no lane of a device. Default: true. */
  readonly timestamps?: boolean | undefined
}
/** Begins to record. @throws Error where this page has no WebGPU, or is being recorded already */
export function start(options?: StartOptions): void
/** A moment with a name. @throws Error where nothing is being recorded */
export function mark(name: string): void
/**
 * Tasks of this thread of at least a ms, all that there were: of who traces the browser. Times by
 * performance.now().
 * @throws Error where nothing is being recorded
 */
export function addTasks(times: readonly (readonly [startMs: number, endMs: number])[]): void
/**
 * What there is of the recording, not gzipped; null where it is too much to take in passing, or
 * none.
 */
export function soFar(): Uint8Array | null
/**
 * Reads what the device still holds, puts everything back, and ends.
 * @throws Error where nothing is being recorded
 */
export function stop(): Promise<void>
/**
 * The recording as a file of the Host/Device Lab, gzipped: 'run.hdl.gz'. Ends it where it is on.
 * @throws Error where there is none
 */
export function save(): Promise<Blob>
/**
 * Opens the recording in the lab, in a window of its own; nothing is uploaded. Ends it where it is
 * on. Called at a click.
 *
 * @param lab the address of a site that the lab is on
 * @throws Error where no window opens, the lab does not answer, or there is no recording
 */
export function openInLab(lab: string): Promise<void>
