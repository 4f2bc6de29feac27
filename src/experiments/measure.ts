/** The frame round every measured window: warm-up, interleaving, tags, reading timestamps only when the window is over. */
import type { RunContext } from '../engine'
import { REPEAT_NONE, REPEAT_WARM_UP } from '../trace/schema'
import type { Progress } from './progress'
import type { Window } from './run-types'

export interface MeasureOptions {
  readonly windows: Window[]
  readonly progress: (progress: Progress) => void
}

/** @see RunServices.measure */
export async function measureVariants(
  context: RunContext,
  { windows, progress }: MeasureOptions,
  variants: readonly string[],
  repeats: number,
  body: (variant: string) => Promise<void>,
  around: {
    readonly before?: (variant: string) => Promise<void>
    readonly after?: (variant: string) => Promise<void>
  } = {},
): Promise<void> {
  const { session, queue } = context
  const total = variants.length * (repeats + 1)
  let done = 0
  for (let round = 0; round <= repeats; round += 1) {
    const repeat = round === 0 ? REPEAT_WARM_UP : round - 1
    // To and fro: what comes after a slow variant, or first after a pause, is so only every other time.
    const isBackward = round > 0 && round % 2 === 0
    for (const variant of isBackward ? variants.toReversed() : variants) {
      context.check()
      const label = round === 0 ? 'warm-up' : `repeat ${String(round)} of ${String(repeats)}`
      progress({ fraction: done / total, message: `${variant}, ${label}`, variant, repeat })
      await context.breathe()
      session.tag = { repeat: REPEAT_NONE, step: -1 }
      await around.before?.(variant)
      session.tag = { variant, repeat, step: -1 }
      const startNs = session.now()
      await body(variant)
      const endNs = session.now()
      session.tag = { variant, repeat, step: -1 }
      session.host('window', variant, startNs, endNs)
      if (repeat >= 0) windows.push({ variant, repeat, startNs, endNs })
      await queue.collect()
      session.tag = { repeat: REPEAT_NONE, step: -1 }
      await around.after?.(variant)
      done += 1
    }
  }
  progress({ fraction: 1, message: 'checking the results', variant: '', repeat: REPEAT_NONE, region: 'done' })
}
