/** What is known of the visitor's device: nothing yet, being asked, its capability report, or why there is none. */
import { createStore, type StoreApi } from 'zustand/vanilla'
import { toFault, type Fault } from '../base/fault'
import type { Environment } from '../trace/report'
import type { LabClient } from '../worker/client-types'

export interface DeviceState {
  readonly phase: 'unknown' | 'asking' | 'known' | 'unavailable'
  readonly environment: Environment | null
  /** Latencies and rates are in it. */
  readonly isFull: boolean
  /** True while latencies and rates are being measured. */
  readonly measuring: boolean
  readonly fault: Fault | null
  /** The device went away outside a run; the next request opens a new one. */
  readonly lost: Fault | null
}

export interface DeviceStore {
  readonly store: StoreApi<DeviceState>
  /** Asks once; later calls join. With `full`, measures the rates too. `again` measures anew. */
  probe: (full: boolean, again?: boolean) => Promise<void>
  /** A run's report has a full environment: no need to measure it again. */
  adopt: (environment: Environment) => void
  restart: () => void
}

const isMeasured = (environment: Environment): boolean =>
  environment.completionLatencyMs !== null ||
  environment.uploadGbPerS !== null ||
  environment.matmulGflops !== null

export function createDeviceStore(
  client: Pick<LabClient, 'probe' | 'onDeviceLost' | 'destroyDevice'>,
): DeviceStore {
  const store = createStore<DeviceState>(() => ({
    phase: 'unknown',
    environment: null,
    isFull: false,
    measuring: false,
    fault: null,
    lost: null,
  }))
  const underWay: { quick: Promise<void> | null; full: Promise<void> | null } = { quick: null, full: null }

  client.onDeviceLost((lost) => {
    store.setState({ lost })
  })

  const ask = async (full: boolean): Promise<void> => {
    store.setState(({ phase }) => ({ phase: phase === 'known' ? phase : 'asking', measuring: full }))
    try {
      const environment = await client.probe(full)
      store.setState({
        phase: 'known',
        environment,
        isFull: full || isMeasured(environment),
        measuring: false,
        fault: null,
        lost: null,
      })
    } catch (thrown) {
      store.setState({
        phase: 'unavailable',
        environment: null,
        isFull: false,
        measuring: false,
        fault: toFault(thrown),
      })
    }
  }

  return {
    store,
    probe: (full, again = false) => {
      const { phase, isFull } = store.getState()
      if (!again && phase === 'known' && (isFull || !full)) return Promise.resolve()
      const kind = full ? 'full' : 'quick'
      underWay[kind] ??= ask(full).finally(() => {
        underWay[kind] = null
      })
      return underWay[kind]
    },
    adopt: (environment) => {
      store.setState({
        phase: 'known',
        environment,
        isFull: isMeasured(environment),
        fault: null,
        lost: null,
      })
    },
    restart: () => {
      client.destroyDevice()
    },
  }
}
