/** The key of a picture: each look that is drawn, by its name, and nothing else. */
import type { Mark } from './marks'

const BARS = ['host', 'wait', 'staging', 'transfer', 'collective', 'device'] as const
/** By what caused it: the host, or nobody asked; an upload; the device itself. */
const IDLE = { idle: 'idle', staging: 'idle-upload', 'text-2': 'idle-other' } as const
const NAMES = [...BARS, ...Object.values(IDLE)] as const
export type KeyName = (typeof NAMES)[number]

function nameOf({ part, fill }: Mark): KeyName | undefined {
  if (!fill) return undefined
  if (part === 'bar') return BARS.find((name) => name === fill.hue)
  return part === 'idle' && fill.hue in IDLE ? IDLE[fill.hue as keyof typeof IDLE] : undefined
}

export interface KeyEntry extends Pick<Mark, 'fill' | 'edge'> {
  readonly name: KeyName
}

/** In the order from host to device; of each the first mark that has it. */
export function keyOf(marks: readonly Mark[]): readonly KeyEntry[] {
  const found = new Map<KeyName, KeyEntry>()
  for (const mark of marks) {
    const name = nameOf(mark)
    const { fill, edge } = mark
    if (name && !found.has(name)) found.set(name, { name, fill, ...(edge ? { edge } : {}) })
  }
  return NAMES.flatMap((name) => found.get(name) ?? [])
}
