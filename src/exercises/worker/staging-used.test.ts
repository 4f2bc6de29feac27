import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { watchStaging } from './staging-used'
import { checkTimes } from './times'

const [MAP_READ, MAP_WRITE, COPY_SRC] = [1, 2, 4]

class Buffer {
  readonly size = 8
  constructor(readonly usage: number) {}
  getMappedRange(offset = 0) {
    if (offset < 0) throw new RangeError('beyond what is mapped of it')
    return new ArrayBuffer(this.size)
  }
}

describe('staging buffers used', () => {
  beforeEach(() => {
    vi.stubGlobal('GPUBuffer', Buffer)
  })
  afterEach(() => {
    vi.unstubAllGlobals()
  })
  const make = (usage: number) => new Buffer(usage)

  it('are counted once each, whoever made them; a readback buffer is none', () => {
    const used = watchStaging()
    const [reused, once, readback] = [make(MAP_WRITE | COPY_SRC), make(COPY_SRC), make(MAP_READ)]
    for (const buffer of [reused, reused, once, readback]) expect(buffer.getMappedRange().byteLength).toBe(8)
    expect(used.count()).toBe(2)
    used.begin()
    expect(used.count()).toBe(0)
    reused.getMappedRange()
    expect(used.count()).toBe(1)
  })

  it('are not those whose range was refused', () => {
    const used = watchStaging()
    expect(() => make(MAP_WRITE).getMappedRange(-1)).toThrow(RangeError)
    expect(used.count()).toBe(0)
  })
})

describe('times of a pass', () => {
  it.each([1, 20, 256])('can be %d', (times) => {
    expect(() => {
      checkTimes(times)
    }).not.toThrow()
  })

  it.each([0, -1, 1.5, 257, Infinity, Number.NaN, '20', null])('cannot be %s', (times) => {
    expect(() => {
      checkTimes(times)
    }).toThrow('times must be a whole number from 1 to 256')
  })
})
