/**
 * The two micro-kernels of a roofline, sized from measured rates to passes of a few ms
 * (`fma-work.ts`, `stream-copy.ts`). A pass can be repeated at will; `verify` proves that each of
 * them did its work.
 */
import { encodePass, type Dispatch, type RunContext } from '../..'
import type { Verification } from '../../../trace/report'

export interface DeviceFacts {
  readonly isSoftware: boolean
  /** Null without timestamp-query. */
  readonly deviceStepNs: number | null
  /** The usual matmul kernel's rate, where it is known: sizing then begins near the end. */
  readonly matmulGflops?: number | null
}

export interface RooflineWork {
  /** Name of its passes in the trace. */
  readonly name: string
  readonly flops: number
  readonly bytes: number
  /** Calibrated time of a pass. */
  readonly passMs: number
  /** All of one pass, in order. */
  readonly dispatches: readonly Dispatch[]
  /** Outside measured windows; awaited. */
  readonly reset: () => Promise<void>
  /** After `passes` passes since the last reset. */
  readonly verify: (passes: number) => Promise<Verification>
  /** How it was sized, for the report. */
  readonly derived: Readonly<Record<string, number>>
}

/** The work in the form that programs encode: one pass, annotated with its work. */
export const encodable = (
  { session }: RunContext,
  { name, dispatches, flops, bytes }: RooflineWork,
): { readonly encode: (encoder: GPUCommandEncoder) => void } => ({
  encode: (encoder) => {
    session.work(encodePass(encoder, name, dispatches), { flops, bytes })
  },
})

/**
 * Length of a pass. It is well above the 65.536 µs that an ordinary visitor's timestamps step by:
 * 1.1 % on 6 ms.
 */
export const PASS_MS = 6
/**
 * At most this much more work in one go: a small dispatch does not fill a large device, so its rate
 * foretells little.
 */
export const GROWTH = 32
/** Entries of a result that are checked. */
export const SAMPLES = 64
