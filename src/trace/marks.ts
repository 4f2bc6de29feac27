/** Moments with a name that the recorded program set itself, in the order of their setting. */
import type { Trace } from './schema'

export const marksOf = ({ instants, strings }: Pick<Trace, 'instants' | 'strings'>): readonly string[] =>
  Array.from(instants.name.subarray(0, instants.length), (name) => strings[name] ?? '')
