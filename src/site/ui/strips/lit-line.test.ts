import { describe, expect, it } from 'vitest'
import { bar as made, row, strip } from '../../../strips/testing/made'
import { lineAt } from './use-playback'

const bar = (startNs: number, endNs: number, line: number) =>
  made(startNs, endNs, { kind: 'host-work', role: 'submit', line, span: line })

describe('the line that is lit', () => {
  const [first, second] = [bar(0, 10, 3), bar(20, 30, 5)]
  const own = strip([row('host', { bars: [first, second] })])

  it('is none with nothing pointed at and no playback', () => expect(lineAt(own, null, null)).toBeNull())
  it('is that of the bar that is pointed at', () => expect(lineAt(own, null, second)).toBe(second))
  it('is none for a bar of another variant', () => expect(lineAt(own, null, bar(20, 30, 5))).toBeNull())
  it('follows a playback, whatever is pointed at, and is none between calls and after the last', () => {
    expect(lineAt(own, 5, second)).toBe(first)
    expect(lineAt(own, 15, second)).toBeNull()
    expect(lineAt(own, 100, second)).toBeNull()
  })
})
