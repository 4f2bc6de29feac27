/**
 * Ranks of a world in the test's own thread, each with a realm of its own: none may sleep, and none
 * can be ended from outside.
 */
import { vi } from 'vitest'
import type { RankProgram } from '../../lab/lab'
import type { StartRank } from '../../lab/ranks/world'
import type { Realm } from '../../recorder'
import type { FakeDevice } from '../../testing/fake-webgpu'
import { serveRank, type PrepareRank } from '../serve-rank'

export interface ThreadRanks {
  readonly start: StartRank
  /** Devices of each rank. */
  readonly devices: readonly (readonly FakeDevice[])[]
}

/** `programs`: by the URL that a window names. */
export async function threadRanks(
  size: number,
  programs: Readonly<Record<string, RankProgram>>,
  prepare: PrepareRank | null = null,
): Promise<ThreadRanks> {
  const devices: FakeDevice[][] = []
  const realms: { readonly realm: Realm; readonly gpu: GPU }[] = []
  for (let rank = 0; rank < size; rank += 1) {
    const own: FakeDevice[] = []
    devices.push(own)
    // A copy of the module with classes of its own, one after the other.
    vi.resetModules()
    const { fakeRealm, FakeGpu } = await import('../../testing/fake-webgpu')
    const gpu = new FakeGpu({
      passNs: 10_000,
      onDevice: (device) => {
        device.followHost()
        own.push(device)
      },
    })
    realms.push({ realm: fakeRealm, gpu: gpu as unknown as GPU })
  }
  const start: StartRank = (rank, heard, failed) => {
    const { port1, port2 } = new MessageChannel()
    let hasEnded = false
    const serve = serveRank({
      answer: (answer, transfer = []) => {
        if (!hasEnded) port2.postMessage(answer, transfer)
      },
      gpu: () => realms[rank]?.gpu,
      realm: realms[rank]?.realm,
      wire: { sleepMs: 0 },
      loadProgram: (url) => {
        const program = programs[url]
        return program ? Promise.resolve(program) : Promise.reject(new Error(`no program ${url}`))
      },
      loadPrepare: () => Promise.resolve(prepare),
    })
    port1.onmessage = ({ data }) => heard(data as Parameters<typeof heard>[0])
    port2.onmessage = ({ data }) => {
      try {
        serve(data as Parameters<typeof serve>[0])
      } catch (thrown) {
        failed(String(thrown))
      }
    }
    return {
      post: (order, transfer = []) => port1.postMessage(order, transfer),
      end: () => {
        hasEnded = true
        // The port closes late, so that posted messages still arrive.
        setTimeout(() => port1.close(), 50)
      },
    }
  }
  return { start, devices }
}
