/**
 * The frame round every measured window: warm-up, interleaving, tags; timestamps are read and
 * results checked when it is over.
 */
import { FaultError } from '../base/fault'
import type { RunContext } from '../gpu'
import { mergeVerifications } from '../lab/check-product'
import { createLab } from '../lab/lab'
import { REPEAT_NONE, REPEAT_WARM_UP } from '../trace/schema'
import type { Verification } from '../trace/report'
import type { LoadedProgram } from './programs'
import type { Progress, OnRanks, Prepared, RanksOutput, Variant, Window } from './run-types'
import type { WorldWindow } from '../lab/ranks/world'

export interface MeasureOptions {
  /** About how long a host that awaits a short kernel waits here, ms. */
  readonly roundTripMs: number
  readonly windows: Window[]
  readonly progress: (progress: Progress) => void
  readonly programOf: (variant: string) => LoadedProgram
  /**
   * Keeps the device busy for so many ms, and resolves when its queue is empty; null where it has
   * no clock to keep up.
   */
  readonly keepBusy: ((forMs: number) => Promise<void>) | null
}

/**
 * Before each window the device is kept busy for BUSY_MS, or less where there are many windows. An
 * H200's clock falls from 1,980 to 735 or 420 MHz when little is asked of it, as while results are
 * read back and checked: what came after a long check would be measured on another device than what
 * came after a short one. The work is the lab's own, on a buffer of its own; it is over, and seen
 * to be, before the window begins.
 */
const BUSY_MS = 20
const BUSY_IN_ALL_MS = 1000

/**
 * Measures every variant `repeats` times after one warm-up each, to and fro (A B B A …), so that a
 * clock ramp or a busy machine meets all alike; one with fewer of its own is left out of the last
 * rounds. Every window's result is checked.
 */
export async function measurePrograms(
  context: RunContext,
  { variants, repeats }: Pick<Prepared, 'variants' | 'repeats'>,
  { windows, progress, programOf, roundTripMs, keepBusy }: MeasureOptions,
): Promise<Verification> {
  const { session } = context
  const lab = createLab(session)
  const device = context.device.gpu
  const checks: Verification[] = []
  const repeatsOf = (variant: Variant): number => Math.min(repeats, variant.repeats ?? repeats)
  const total = variants.reduce((sum, variant) => sum + repeatsOf(variant) + 1, 0)
  let done = 0
  const hurry = hurrying(context, roundTripMs)
  hurry(true)
  try {
    for (let round = 0; round <= repeats; round += 1) {
      const repeat = round === 0 ? REPEAT_WARM_UP : round - 1
      // Alternating the order puts a variant behind a slow one, or first after a pause, only every
      // other time.
      const isBackward = round > 0 && round % 2 === 0
      const inRound = variants.filter((variant) => round <= repeatsOf(variant))
      for (const each of isBackward ? inRound.toReversed() : inRound) {
        const { name: variant, input, stamping = 'passes', ranks, before, check } = each
        context.check()
        const label = round === 0 ? 'warm-up' : `repeat ${String(round)} of ${String(repeatsOf(each))}`
        progress({ fraction: done / total, message: `${variant}, ${label}`, variant, repeat })
        await context.breathe()
        session.tag = { repeat: REPEAT_NONE, step: -1 }
        await before?.()
        await keepBusy?.(Math.min(BUSY_MS, BUSY_IN_ALL_MS / total))
        hurry(false)
        const { url, program } = programOf(variant)
        session.lines.url = url
        // Call sites are looked up in the warm-up, whose times do not count.
        session.lines.fromStacks = round === 0
        session.tag = { variant, repeat, step: -1 }
        session.stamps.stamp = stamping
        const run = async () => {
          const startNs = session.now()
          const output = await program({ device, lab, input })
          return { startNs, output, endNs: session.now() }
        }
        const { startNs, output, endNs } = await (ranks
          ? onRanks(context, ranks, { variant, repeat, program: url, stamping })
          : run())
        session.stamps.stamp = 'passes'
        session.lines.fromStacks = false
        session.tag = { variant, repeat, step: -1 }
        session.hostSpan('window', 'none', variant, startNs, endNs)
        if (repeat >= 0) windows.push({ variant, repeat, startNs, endNs })
        hurry(true)
        await context.queue.collect()
        session.tag = { repeat: REPEAT_NONE, step: -1 }
        checks.push(await check(output))
        done += 1
      }
    }
  } finally {
    hurry(false)
    session.stamps.stamp = 'passes'
  }
  progress({ fraction: 1, message: 'checking the results', variant: '', repeat: REPEAT_NONE, region: 'done' })
  return mergeVerifications(checks)
}

/**
 * Times from the barrier to the last rank's end. @throws FaultError 'timeout' where ranks hang that
 * should not.
 */
async function onRanks(
  { race, session }: RunContext,
  { world, size, specOf, mayHang = false }: OnRanks,
  window: Pick<WorldWindow, 'variant' | 'repeat' | 'program' | 'stamping'>,
) {
  const linesFromStacks = session.lines.fromStacks
  const ran = await race(world.run({ ...window, size, specOf, record: true, linesFromStacks }))
  const { startNs, endNs, outputs, hang } = ran
  if (hang && !mayHang)
    throw new FaultError({
      code: 'timeout',
      message: `${window.variant}: ${hang.message}`,
      hint: 'This looks like a bug in the lab. Please report it with your report.json.',
    })
  return { startNs, endNs, output: { outputs, hang } satisfies RanksOutput }
}

/**
 * A browser polls so seldom from here on that the frame round a window takes longer than most
 * windows.
 */
const SELDOM_MS = 20
const HURRY_EVERY_MS = 4

/**
 * Firefox looks for completion every 100 ms, and at every submit. Outside windows an empty one
 * every few ms makes it look; inside them nothing is hurried, since when completion is reported is
 * what is measured.
 */
function hurrying({ device, session }: RunContext, roundTripMs: number): (on: boolean) => void {
  let timer: ReturnType<typeof setInterval> | undefined
  const { queue } = device.gpu
  return (on) => {
    clearInterval(timer)
    if (on && roundTripMs > SELDOM_MS)
      timer = setInterval(() => {
        if (!session.interruption) session.natives.submit(queue, [])
      }, HURRY_EVERY_MS)
  }
}
