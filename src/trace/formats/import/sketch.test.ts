import { describe, expect, it } from 'vitest'
import { openTraceFile } from './open-trace'
import type { Sketch } from './sketch'

const event = (pid: number, cat: string, ts: number, dur: number) =>
  JSON.stringify({ ph: 'X', name: cat, cat, pid, tid: pid, ts, dur })

/** The sketches of a file of which each piece takes a while. */
async function sketches(...events: readonly string[]): Promise<readonly Sketch[]> {
  const bytes = new TextEncoder().encode(`[${events.join(',')}]`)
  const made: Sketch[] = []
  const opened = await openTraceFile(
    {
      size: bytes.length,
      pieceBytes: Math.ceil(bytes.length / 2),
      read: async (from, to) => {
        await new Promise((done) => setTimeout(done, 120))
        return bytes.subarray(from, to)
      },
    },
    { onSketch: (sketch) => made.push(sketch) },
  )
  expect(opened.ok).toBe(true)
  return made
}

/** In whole quarters of the time that it covers. */
const quarters = (busy: Float32Array): readonly number[] =>
  [0, 1, 2, 3].map((quarter) => {
    const part = busy.slice((quarter * busy.length) / 4, ((quarter + 1) * busy.length) / 4)
    return Math.round((4 * part.reduce((sum, share) => sum + share, 0)) / part.length) / 4
  })

describe('a sketch of what is read', () => {
  it('says when each thread was busy, work of a device last, in whatever order it comes', async () => {
    const [first] = await sketches(
      event(0, 'kernel', 1512, 512),
      event(11, 'cpu_op', 1000, 256),
      event(11, 'cpu_op', 1256, 128),
      // The second half of the file is not read yet.
      event(11, 'cpu_op', 5000, 128),
      event(0, 'kernel', 5000, 128),
      event(0, 'kernel', 5000, 128),
    )
    expect(first?.rows.map(({ isDevice, busy }) => [isDevice, quarters(busy)])).toEqual([
      [false, [1, 0.5, 0, 0]],
      [true, [0, 0, 1, 1]],
    ])
  })

  it('leaves out ranges, Python’s functions, stray times and what has none', async () => {
    const [first] = await sketches(
      event(11, 'cpu_op', 1000, 100),
      event(11, 'user_annotation', 0, 9000),
      event(11, 'python_function', 0, 9000),
      event(11, 'cpu_op', 1.7e15, 100),
      '{"ph":"X","cat":"cpu_op","pid":12,"tid":1}',
      ...Array.from({ length: 5 }, () => event(11, 'cpu_op', 1000, 100)),
    )
    expect(first?.rows).toHaveLength(1)
    expect(quarters(first?.rows[0]?.busy ?? new Float32Array())).toEqual([1, 1, 1, 1])
  })
})
