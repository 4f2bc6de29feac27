import { describe, expect, it } from 'vitest'
import { CallLines, lineInStack } from './lines'

const URL = 'https://lab.example/assets/programs/'

describe('lineInStack', () => {
  it.each([
    [
      'V8',
      `Error\n    at wrapper (https://lab.example/assets/recorder.js:5:9)\n    at async run (${URL}ring.js?t=1:17:3)`,
      17,
    ],
    ['V8 without a name', `Error\n    at ${URL}ring.js:4:10\n    at ${URL}ring.js:99:1`, 4],
    [
      'SpiderMonkey',
      `wrapper@https://lab.example/assets/recorder.js:5:9\nasync*run@${URL}ring.js:23:11\n`,
      23,
    ],
    ['no frame of a program', 'Error\n    at wrapper (https://lab.example/assets/recorder.js:5:9)', -1],
    ['a URL that only contains it', `Error\n    at f (https://other.example/?${URL}ring.js:3:1)`, -1],
  ])('%s', (_, stack, line) => expect(lineInStack(stack, URL)).toBe(line))

  it('gives none for what is no stack', () => {
    expect(lineInStack(undefined, URL)).toBe(-1)
    expect(lineInStack([{}], URL)).toBe(-1)
    expect(lineInStack(`at ${URL}a.js:1:1`, '')).toBe(-1)
  })
})

describe('CallLines', () => {
  // Frames of this very file stand in for a program.
  const here = lineInStackUrl()
  const tag = (step: number, variant = 'ring') => ({ variant, repeat: 0, step })

  it('finds the n-th call of a role in a step again', () => {
    const lines = new CallLines(here)
    lines.fromStacks = true
    const warmUp = tag(0)
    const first = lines.line('submit', warmUp)
    const second = lines.line('submit', warmUp)
    const other = lines.line('write', warmUp)
    expect([second - first, other - second]).toEqual([1, 1])
    lines.fromStacks = false
    const measured = tag(0)
    expect(lines.line('write', measured)).toBe(other)
    expect(lines.line('submit', measured)).toBe(first)
    expect(lines.line('submit', measured)).toBe(second)
    expect(lines.line('submit', measured)).toBe(-1) // the warm-up made two
    expect(lines.line('submit', tag(1))).toBe(-1)
    expect(lines.line('submit', tag(0, 'serial'))).toBe(-1)
    expect(lines.line('submit', tag(0))).toBe(first)
  })

  it('knows none without programs', () => {
    const lines = new CallLines('')
    lines.fromStacks = true
    expect(lines.line('submit', tag(0))).toBe(-1)
  })
})

/** The URL of this file as stacks have it. */
function lineInStackUrl(): string {
  const place = /\(?((?:file:\/\/)?\/\S*lines\.test\.ts[^:\s]*):\d+:\d+/.exec(new Error().stack ?? '')
  return place?.[1] ?? 'no stack'
}
