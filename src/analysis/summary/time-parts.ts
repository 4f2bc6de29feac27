/** The parts of a device's time with their labels: for bars on the page and in pictures. */
import type { DeviceParts } from '../findings'

const PARTS = [
  { part: 'workUs', label: 'kernels' },
  { part: 'waitUs', label: 'waiting for another rank' },
  { part: 'collectiveUs', label: 'collectives alone' },
  { part: 'copyUs', label: 'copies alone' },
  { part: 'idleUs', label: 'idle' },
  { part: 'unrecordedUs', label: 'not recorded' },
] as const satisfies readonly { readonly part: keyof DeviceParts; readonly label: string }[]

/** In a run of the lab's, work is not told from copies. */
export const LAB_RUN_WORK = 'kernels and copies'

/** Less than this is not written beside the bar; it is in the tables. */
const LEAST_SHARE = 0.001

export interface TimePart {
  readonly part: keyof DeviceParts
  readonly label: string
  /** A share of the whole extent. */
  readonly width: number
  /** A share of what is recorded; for what is not recorded, of the whole. */
  readonly share: number
}

/** None where the device has no extent. */
export const timeParts = (
  parts: DeviceParts,
  spanUs: number,
  workLabel: string = PARTS[0].label,
): readonly TimePart[] =>
  spanUs > 0
    ? PARTS.map(({ part, label }) => ({
        part,
        label: part === 'workUs' ? workLabel : label,
        width: parts[part] / spanUs,
        share: parts[part] / (part === 'unrecordedUs' ? spanUs : spanUs - parts.unrecordedUs),
      })).filter(({ width }) => width >= LEAST_SHARE)
    : []
