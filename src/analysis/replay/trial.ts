/**
 * Tries a reader's changes on a profile or a recorded page: causes switched off and host code
 * shortened, with the step as it would be.
 */
import { hostBlocks, type HostBlock, type HostBlocks } from './blocks'
import { makePlayLog, type PlayLog } from './play'
import { roundsOf, type Predicted, type Replay, type Shortened } from './predict'
import { stepPicture, type StepPicture } from './step-picture'
import type { Trace } from '../../trace/schema'
import { parseRemoved, type Removed } from './without'

export interface Tried {
  readonly predicted: Predicted
  readonly picture: StepPicture
}

/** A step's picture can be told apart into so many parts: about the pixels of a wide page. */
const PARTS = 1500

export class Trial {
  readonly replay: Replay
  /** Nothing is changed. */
  readonly now: Tried
  readonly #blocks: HostBlocks
  readonly #kind: Trace['spans']['kind']
  readonly #log: PlayLog
  /** The step that is drawn, counted over all rounds. */
  readonly #step: number
  /** The shortest mark that can be drawn, ns. */
  readonly #leastNs: number
  readonly #isOneRank: boolean

  /**
   * @param kind of the trace's spans
   * @param isOneRank another rank, which is not in the file, may set the pace: then nothing may be
   * gained
   */
  constructor(replay: Replay, kind: Trace['spans']['kind'], isOneRank = false, parts = PARTS) {
    this.replay = replay
    this.#isOneRank = isOneRank
    this.#blocks = hostBlocks(replay.program)
    this.#kind = kind
    const steps = replay.program.stepEndsNs.length
    // One more round than is measured: while the device ends a step, the host is at the next ones.
    const rounds = roundsOf(steps) + 1
    const log = makePlayLog(replay.program, rounds, Infinity)
    const predicted = replay.without([], null, log)
    this.#step = nearestTheMean(log.stepEndsNs, (rounds - 2) * steps, steps, replay.replayedNs / replay.scale)
    this.#log = { ...log, untilStep: this.#step }
    const [fromNs, toNs] = this.#window()
    this.#leastNs = (toNs - fromNs) / parts
    this.now = this.#drawn([], null, predicted)
  }

  get blocks(): readonly HostBlock[] {
    return this.#blocks.blocks
  }

  /**
   * @param off causes, or 'host-code:NAME' for the code of one name
   * @param shares by block, what is left of its host time
   */
  tried(off: readonly string[], shares: ReadonlyMap<number, number>): Tried {
    const removed = off.flatMap((text) => {
      const parsed = parseRemoved(text)
      return parsed ? [{ ...parsed, isStrict: true }] : []
    })
    const shortened = this.#shortened(shares)
    return this.#drawn(removed, shortened, this.replay.without(removed, shortened, this.#log))
  }

  /** From the log of what was predicted. */
  #drawn(removed: readonly Removed[], shortened: Shortened | null, predicted: Predicted): Tried {
    const { program, scale } = this.replay
    const [fromNs, toNs] = this.#window()
    const picture = stepPicture(
      { program, blocks: this.#blocks, kind: this.#kind },
      this.replay.editOf(removed, 'least', shortened),
      this.#log,
      { fromNs, toNs, leastNs: this.#leastNs },
      scale,
    )
    const highNs = this.#isOneRank ? this.replay.replayedNs : predicted.highNs
    return { predicted: { ...predicted, highNs }, picture }
  }

  #shortened(shares: ReadonlyMap<number, number>): Shortened | null {
    const least = Math.min(1, ...shares.values())
    if (least === 1) return null
    const { of } = this.#blocks
    const byBlock = Float64Array.from(this.blocks, (_, block) => shares.get(block) ?? 1)
    const left = new Float64Array(of.length).fill(1)
    for (let at = 0; at < of.length; at += 1) left[at] = byBlock[of[at] ?? -1] ?? 1
    return { shares: left, least }
  }

  #window(): readonly [fromNs: number, toNs: number] {
    const { stepEndsNs } = this.#log
    return [stepEndsNs[this.#step - 1] ?? 0, stepEndsNs[this.#step] ?? 0]
  }
}

/** @param first step of the round */
function nearestTheMean(endsNs: readonly number[], first: number, steps: number, meanNs: number): number {
  let [best, leastNs] = [first, Infinity]
  // The first step of a round also takes what the last one left.
  for (let step = first + (steps > 1 ? 1 : 0); step < first + steps; step += 1) {
    const offNs = Math.abs((endsNs[step] ?? 0) - (endsNs[step - 1] ?? 0) - meanNs)
    if (offNs < leastNs) [best, leastNs] = [step, offNs]
  }
  return best
}
