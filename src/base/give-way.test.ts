import { describe, expect, it, vi } from 'vitest'
import { countInputs, restWhile, createYielder } from './give-way'

describe('countInputs', () => {
  const page = new EventTarget()
  const count = () => {
    vi.stubGlobal('addEventListener', page.addEventListener.bind(page))
    const stop = new AbortController()
    return { inputs: countInputs(stop.signal), stop }
  }

  it('counts what moves the picture, until it is stopped', () => {
    vi.stubGlobal('crossOriginIsolated', true)
    const { inputs, stop } = count()
    page.dispatchEvent(new Event('wheel'))
    page.dispatchEvent(Object.assign(new Event('pointermove'), { buttons: 0 }))
    page.dispatchEvent(Object.assign(new Event('pointermove'), { buttons: 1 }))
    expect(inputs?.[0]).toBe(2)
    stop.abort()
    page.dispatchEvent(new Event('wheel'))
    expect(inputs?.[0]).toBe(2)
  })

  it('counts nothing where memory can’t be shared', () => expect(count().inputs).toBeUndefined())
})

describe('restWhile', () => {
  it('rests until an interval passes without input, and not again before the next', () => {
    const inputs = new Int32Array(1)
    let waits = 0
    const rest = restWhile(inputs, () => {
      waits += 1
      // Two more come while it rests.
      if (waits <= 2) inputs[0] = (inputs[0] ?? 0) + 1
    })
    rest()
    expect(waits).toBe(0)
    inputs[0] = 1
    rest()
    expect(waits).toBe(3)
    rest()
    expect(waits).toBe(3)
  })

  it('goes on in the end under a visitor who never stops', () => {
    const inputs = new Int32Array(1)
    let waits = 0
    const rest = restWhile(inputs, () => {
      waits += 1
      inputs[0] = waits
    })
    inputs[0] = 1_000_000
    rest()
    inputs[0] = -1
    rest()
    expect(waits).toBe(100)
  })
})

it('gives way when a turn is used up, and only then', async () => {
  let [nowMs, pauses] = [0, 0]
  const pause = () => {
    pauses += 1
    return Promise.resolve()
  }
  const yieldIfDue = createYielder(() => nowMs, pause, 8)
  await yieldIfDue()
  nowMs = 7
  await yieldIfDue()
  expect(pauses).toBe(0)
  nowMs = 9
  await yieldIfDue()
  await yieldIfDue()
  expect(pauses).toBe(1)
})
