import { intersect } from '../intervals'
import type { Interval } from '../types'

export const clip = (set: readonly Interval[], start: number, end: number): readonly Interval[] =>
  intersect(set, end > start ? [{ start, end }] : [])
