import { describe, expect, it } from 'vitest'
import type { StoryBar, StoryStrip } from '../../state/story'
import { lineAt } from './lit-line'

const bar = (startNs: number, endNs: number, line: number): StoryBar => ({
  kind: 'host-work',
  role: 'submit',
  name: 'submit',
  startNs,
  endNs,
  line,
  step: 0,
  startBoundNs: 0,
  endBoundNs: 0,
  isInferred: false,
  span: line,
})
const strip = (...bars: readonly StoryBar[]): StoryStrip => ({
  variant: 'v',
  repeat: 0,
  zeroNs: 0,
  windowNs: 100,
  rows: [{ kind: 'host', name: 'host', group: 'host', bars }],
  idle: [],
  depth: [],
  messages: [],
  stepsEnded: 0,
})

describe('the line that is lit', () => {
  const [first, second] = [bar(0, 10, 3), bar(20, 30, 5)]
  const own = strip(first, second)

  it('is none with nothing pointed at and no replay', () => {
    expect(lineAt(own, null, null)).toBeNull()
  })
  it('is that of the bar that is pointed at', () => {
    expect(lineAt(own, null, second)).toBe(second)
  })
  it('is none for a bar of another variant', () => {
    expect(lineAt(own, null, bar(20, 30, 5))).toBeNull()
  })
  it('follows a replay, whatever is pointed at, and is none between calls and after the last', () => {
    expect(lineAt(own, 5, second)).toBe(first)
    expect(lineAt(own, 15, second)).toBeNull()
    expect(lineAt(own, 100, second)).toBeNull()
  })
})
