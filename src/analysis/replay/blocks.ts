/**
 * Blocks of the host that a reader can shorten: each of the reader's functions, and by its cause
 * what lies in the loop itself. A block is shortened in all places and steps at once.
 */
import { pythonFrame } from '../host-stacks'
import type { Cause } from './causes'
import type { Program } from './program'

export interface HostBlock {
  /** The function's name, 'augment'; null: what the loop itself does. */
  readonly name: string | null
  /** Null: of the function, whatever it does; or the device is what held the host. */
  readonly cause: Cause | null
  /** The host's own time in a step, as recorded. */
  readonly nsPerStep: number
}

export interface HostBlocks {
  readonly blocks: readonly HostBlock[]
  /** By stretch: index into `blocks`; -1: the device held the host. */
  readonly of: Int32Array
}

/** A function that holds this much of a step's host time is the loop itself. */
const LOOP_SHARE = 0.9

export function hostBlocks({ stretches, chains, stepEndsNs }: Program): HostBlocks {
  const names = functionsBelowTheLoop(stretches, chains)
  const found = new Map<string, number>()
  const times: number[] = []
  const kinds: Omit<HostBlock, 'nsPerStep'>[] = []
  const of = Int32Array.from(stretches, ({ code, cause, lengthNs }) => {
    const name = names[code] ?? null
    if (name === null && cause === null) return -1
    const key = name === null ? `cause ${cause ?? ''}` : `function ${name}`
    let block = found.get(key)
    if (block === undefined) {
      found.set(key, (block = kinds.length))
      kinds.push(name === null ? { name, cause } : { name: pythonFrame(name)?.name ?? name, cause: null })
      times.push(0)
    }
    times[block] = (times[block] ?? 0) + lengthNs
    return block
  })
  return {
    blocks: kinds.map((kind, at) => ({ ...kind, nsPerStep: (times[at] ?? 0) / stepEndsNs.length })),
    of,
  }
}

/** By chain: the innermost function, 'train.py(12): augment'; null where that is the loop's own. */
function functionsBelowTheLoop(
  stretches: Program['stretches'],
  chains: Program['chains'],
): readonly (string | null)[] {
  const timesNs = new Float64Array(chains.length)
  let hostNs = 0
  for (const { thread, code, lengthNs } of stretches) {
    if (thread !== 0) continue
    hostNs += lengthNs
    if (code >= 0) timesNs[code] = (timesNs[code] ?? 0) + lengthNs
  }
  const within = new Map<string, number>()
  for (const [at, chain] of chains.entries())
    for (const name of new Set(chain)) within.set(name, (within.get(name) ?? 0) + (timesNs[at] ?? 0))
  return chains.map(([innermost]) =>
    innermost === undefined || (within.get(innermost) ?? 0) > LOOP_SHARE * hostNs ? null : innermost,
  )
}
