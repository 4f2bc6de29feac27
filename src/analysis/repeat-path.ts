/**
 * The critical path of one repeat: walked backwards from its end, each moment belongs to what the next one had to wait for. The same
 * reading of a repeat that what-if.ts replays, so that the two agree. In order of time, without holes: the parts add up to the repeat.
 *
 *   host ▇▇▇│launch├───▶ device ▇▇▇▇│switch├─▶ device ▇▇▇▇│notice├───▶ host ▇▇▇
 */
import { median } from '../base/stats'
import type { PlacedTrace } from '../trace/place'
import { RecipeReader, type RepeatRecipe } from './repeat-recipe'

/**
 * host: at work, or waiting for what no span of the device explains. launch: submit() returned, the device has not begun. switch: the
 * work before on the device has ended, the next has not begun. notice: the device has ended, the host has not heard.
 */
export const PATH_OWNERS = ['host', 'launch', 'device', 'switch', 'notice'] as const
export type PathOwner = (typeof PATH_OWNERS)[number]

export interface PathStretch {
  /** What is drawn: the host's span, the longest pass of a submission, the wait that was noticed. -1: JavaScript between spans. */
  readonly span: number
  readonly startNs: number
  readonly endNs: number
  readonly who: PathOwner
}

export interface RepeatPath {
  readonly variant: string
  readonly repeat: number
  readonly stretches: readonly PathStretch[]
  readonly ns: Readonly<Record<PathOwner, number>>
}

/** Of the repeat whose time is nearest to the variant's median; a sentence where there is none that can be read. */
export function repeatPath(placed: PlacedTrace, variant: string): RepeatPath | string {
  const reader = new RecipeReader(placed)
  const index = placed.trace.strings.indexOf(variant)
  const repeats = reader.repeatsOf(index)
  const middle = median(repeats.map((repeat) => reader.lengthNs(index, repeat)))
  const offBy = (repeat: number) => Math.abs(reader.lengthNs(index, repeat) - middle)
  const [first] = [...repeats].sort((a, b) => offBy(a) - offBy(b))
  if (first === undefined) return 'No counted repeat of this variant was recorded.'
  const read = reader.read(index, first)
  if (typeof read === 'string') return read
  const stretches = walk(read)
  const ns = Object.fromEntries(PATH_OWNERS.map((who) => [who, 0])) as Record<PathOwner, number> // one for each
  for (const { who, startNs, endNs } of stretches) ns[who] += endNs - startNs
  return { variant, repeat: first, stretches, ns }
}

function walk({ recipe, steps, pieces }: RepeatRecipe): readonly PathStretch[] {
  const found: PathStretch[] = []
  let atNs = steps.endNs[steps.length - 1] ?? 0
  const beginNs = steps.startNs[0] ?? 0
  const add = (who: PathOwner, fromNs: number, span: number) => {
    const startNs = Math.min(atNs, Math.max(beginNs, fromNs))
    const last = found.at(-1)
    if (startNs < atNs && last?.who === who && last.span === span)
      found[found.length - 1] = { ...last, startNs }
    else if (startNs < atNs) found.push({ who, span, startNs, endNs: atNs })
    atNs = startNs
  }
  const submittedBy = new Int32Array(pieces.length).fill(-1)
  for (let index = 0; index < steps.length; index += 1) {
    const submits = recipe.steps.submits[index] ?? -1
    if (submits >= 0) submittedBy[submits] = index
  }
  let index = steps.length - 1
  while (index >= 0) {
    const [startNs, span] = [steps.startNs[index] ?? 0, steps.span[index] ?? -1]
    const heardNs = pieces.endNs[recipe.steps.piece[index] ?? -1]
    if (heardNs === undefined || heardNs <= startNs) {
      add('host', startNs, span)
      index -= 1
      continue
    }
    add('notice', heardNs, span)
    // Back along the device while the work before was still going on when this was submitted.
    let at = recipe.steps.piece[index] ?? -1
    for (; at >= 0; at -= 1) {
      add('device', pieces.startNs[at] ?? 0, pieces.span[at] ?? -1)
      const before = pieces.endNs[at - 1]
      if (before === undefined || before < (pieces.submittedNs[at] ?? 0)) break
      add('switch', before, pieces.span[at] ?? -1)
    }
    add('launch', pieces.submittedNs[at] ?? 0, pieces.span[at] ?? -1)
    index = Math.min(index - 1, submittedBy[at] ?? -1)
  }
  return found.reverse()
}
