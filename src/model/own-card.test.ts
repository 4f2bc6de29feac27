import { describe, expect, it } from 'vitest'
import { measuredOn } from './testing/measured-on'
import type { LaunchCosts } from '../trace/machine-costs'
import { isCard, problemOfCard } from './card-shape'
import { h200 } from './cards/h200'
import { cardForRun, ownCard } from './fit'

const TODAY = '2026-11-28T00:00:00.000Z'

const near = (one: number, other: number, by: number) => {
  expect(Math.abs(Math.log(one / other)), `${String(one)} ~ ${String(other)}`).toBeLessThan(Math.log(by))
}

describe('a machine’s own card', () => {
  it('is on the H200 about the one that was read off its recordings', () => {
    const own = ownCard(measuredOn('recordings'), TODAY)
    if (!own) throw new Error('There is no card.')
    const { host, process } = own.card
    near(process.firstLookNs, h200.process.firstLookNs, 1.25)
    near(process.lookNs, h200.process.lookNs, 1.25)
    near(host.calls.submit, h200.host.calls.submit, 1.5)
    near(host.calls.finish, h200.host.calls.finish, 1.5)
    near(process.submitNs, h200.process.submitNs, 1.5)
    near(process.commandBufferNs, h200.process.commandBufferNs, 1.5)
    near(host.newMemoryRate, h200.host.newMemoryRate, 1.25)
    near(process.readbackRate, h200.process.readbackRate, 1.25)
    expect(own.missing).toHaveLength(1)
  })

  it('looks at the ends of work as a calibration saw it, where no wait was measured', () => {
    const own = ownCard({ ...measuredOn('recordings'), waits: [] }, TODAY)
    near(own?.card.process.lookNs ?? 0, h200.process.lookNs, 1.25)
  })

  it('says what was not measured', () => {
    const { environment } = measuredOn('swiftshader')
    const blind = { ...environment, deviceClockStepNs: null, completions: [] }
    const own = ownCard({ environment: blind, launches: null, waits: [] }, TODAY)
    expect(own?.missing.join()).toMatch(/what each call costs.*no timestamps/)
    expect(
      ownCard({ environment: { ...environment, matmulGflops: null }, launches: null, waits: [] }, TODAY),
    ).toBeNull()
  })

  it('takes no less than nothing for a call, whatever a coarse clock says', () => {
    const none = { hostUs: 0, stepUs: 0 }
    const launches: LaunchCosts = { onePass: none, passes: none, commandBuffers: none, submits: none }
    const own = ownCard({ ...measuredOn('swiftshader'), launches }, TODAY)
    expect(isCard(own?.card)).toBe(true)
  })

  it('is a file that is read back as it was, and a broken one is refused with what is wrong', () => {
    const own = ownCard(measuredOn('swiftshader'), TODAY)
    const text = JSON.stringify(own?.card)
    const read = JSON.parse(text) as Record<string, unknown>
    expect(problemOfCard(read)).toBeNull()
    expect(read).toEqual(own?.card)
    expect(problemOfCard({ ...read, host: {} })).toMatch(/^card\.host\./)
    expect(problemOfCard(null)).toBe('card is not an object')
  })

  it('has kernels as fast as those that a run timed', () => {
    const measured = measuredOn('swiftshader')
    const { environment } = measured
    const own = ownCard(measured, TODAY)
    if (!own) throw new Error('There is no card.')
    const derived = { flopsPerStep: 4e6, calibratedKernelMs: 2 }
    const { matmuls } = cardForRun(own, { environment, derived, params: { kernel: 'naive' } }).device
    expect(matmuls.find(({ kernel }) => kernel === 'naive')?.gflops).toBe(2)
    expect(matmuls.find(({ kernel }) => kernel === 'vectorised')?.gflops).toBe(environment.matmulGflops)
  })

  it('of a GPU has the H200’s ladder of kernels, on as many multiprocessors as its rate says', () => {
    const measured = measuredOn('recordings')
    const { matmulGflops } = measured.environment
    const half = { ...measured.environment, matmulGflops: (matmulGflops ?? 0) / 2 }
    const device = ownCard({ ...measured, environment: half }, TODAY)?.card.device
    near(device?.multiprocessors ?? 0, h200.device.multiprocessors / 2, 1.05)
    for (const [index, { kernel, gflops }] of h200.device.matmuls.entries()) {
      expect(device?.matmuls[index]?.kernel).toBe(kernel)
      near(device?.matmuls[index]?.gflops ?? 0, gflops / 2, 1.05)
    }
  })
})
