import { describe, expect, it } from 'vitest'
import { explainStop } from './mistakes'
import type { Stop } from './types'

const START = `export default async function ({ device, input }) {
  const { loss, readback } = input
  const encoder = device.createCommandEncoder()
  encoder.copyBufferToBuffer(loss, 0, readback, 0, 4)
  device.queue.submit([encoder.finish()])
  await readback.mapAsync(GPUMapMode.READ)
  const [value] = new Float32Array(readback.getMappedRange().slice(0))
  readback.unmap()
  return value
}
`
const threw = (message: string, line: number | null): Stop => ({
  reason: 'threw',
  text: `Your program ended with an error. ${message}`,
  line,
})
const refused = (message: string): Stop => ({
  reason: 'gpu-error',
  text: `WebGPU refused what your program asked for: ${message}`,
  line: null,
})
const UNMAPPED = "OperationError: Failed to execute 'getMappedRange' on 'GPUBuffer': getMappedRange failed"

/** Messages as Chromium 156 gives them for these programs. */
describe('a mistake in the lesson’s words', () => {
  it.each<[name: string, source: string, stop: Stop, words: string, line: number | null]>([
    [
      'the wait is gone',
      START.replace(/.*mapAsync.*\n/, ''),
      threw(UNMAPPED, 6),
      'You removed the wait that the read in line 6 needs: `readback` is not mapped there. Keep its mapAsync(), and await it later.',
      6,
    ],
    [
      'the await is gone',
      START.replace('await readback.', 'readback.'),
      threw(UNMAPPED, 7),
      'Line 6 asks for `readback`, and nothing waits for the answer before the read in line 7. Keep the promise of mapAsync(), and await it first.',
      7,
    ],
    [
      'the wait comes later',
      START.replace(/(.*mapAsync.*\n)(.*\n)/, '$2$1'),
      threw(UNMAPPED, 6),
      'The read in line 6 comes before `readback` is mapped: await the promise of its mapAsync() first.',
      6,
    ],
    [
      'unmap() is gone',
      START.replace(/.*unmap.*\n/, ''),
      refused('[Buffer "readback"] used in submit while mapped.\n - While calling [Queue].Submit(…)'),
      'You removed unmap(): `readback` still belonged to the host when work that uses it was submitted. Call unmap() once you have copied the values.',
      5,
    ],
    [
      'one buffer for two reads',
      START,
      refused('[Buffer "readback"] used in submit while pending map.'),
      '`readback` was on its way to the host, asked for by mapAsync(), when work that uses it was submitted. One buffer holds one read at a time: use two in turn, or wait for the first.',
      5,
    ],
    [
      'asked twice',
      START,
      threw(
        "OperationError: Failed to execute 'mapAsync' on 'GPUBuffer': Buffer already has an outstanding map pending.",
        6,
      ),
      'mapAsync() was called again on `readback` while the host had it, or still waited for it. One buffer holds one read at a time: use two in turn, or call unmap() in between.',
      6,
    ],
    [
      'bytes of a buffer that was given back',
      START,
      threw('TypeError: Cannot perform Construct on a detached ArrayBuffer', 9),
      'Line 9 uses bytes that unmap() or destroy() has taken back. Copy them with slice() first.',
      9,
    ],
    [
      'unmapped too early',
      START,
      threw(
        "AbortError: Failed to execute 'mapAsync' on 'GPUBuffer': Buffer was unmapped before mapping was resolved.",
        null,
      ),
      'unmap() was called while mapAsync() still waited for the same buffer, so its values never came. Await mapAsync() first.',
      8,
    ],
    [
      'a usage is missing',
      START,
      refused('[Buffer "mine"] usage (BufferUsage::MapRead) doesn\'t include BufferUsage::CopyDst.'),
      '`mine` was made without the usage that this needs: add GPUBufferUsage.COPY_DST in its createBuffer().',
      null,
    ],
    [
      'a command buffer twice',
      START,
      refused('[CommandBuffer from CommandEncoder "all"] cannot be submitted more than once.'),
      'A command buffer runs once. Make an encoder for each submit(), and encode the work again.',
      5,
    ],
  ])('%s', (_, source, stop, text, line) =>
    expect(explainStop(stop, source, START)).toEqual({ ...stop, text, line, browserText: stop.text }),
  )

  it.each<[string, Stop]>([
    ['an error of the program’s own', threw('Error: layer 3 has the wrong shape', 3)],
    ['a loop without end', { reason: 'endless', text: 'detached', line: null }],
    ['a getMappedRange() that failed for another reason', threw('RangeError: offset', 7)],
  ])('%s is left as it is', (_, stop) => expect(explainStop(stop, START, START)).toBe(stop))
})
