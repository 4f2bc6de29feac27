/**
 * What is known of the visitor's device: nothing yet, being asked, what it says of itself, what was
 * measured on it, or why there is none.
 */
import { createStore } from 'zustand/vanilla'
import { toFault, type Fault } from '../../base/fault'
import type { DeviceFacts, Environment } from '../../trace/report'
import type { LabClient } from '../worker/client'

export interface DeviceState {
  readonly phase: 'unknown' | 'asking' | 'known' | 'unavailable'
  /** What the device says of itself. */
  readonly device: DeviceFacts | null
  /** What was measured on it: by a run, or on request. */
  readonly environment: Environment | null
  readonly measuring: boolean
  readonly fault: Fault | null
  /** The device went away outside a run; the next request opens a new one. */
  readonly lost: Fault | null
}

export type DeviceStore = ReturnType<typeof createDeviceStore>

/**
 * @param clientOf loaded by the first question: no page needs it to be drawn. The same at each
 * call, until it fails.
 */
export function createDeviceStore(
  clientOf: () => Promise<Pick<LabClient, 'describe' | 'measure' | 'onDeviceLost'>>,
) {
  const store = createStore<DeviceState>(() => ({
    phase: 'unknown',
    device: null,
    environment: null,
    measuring: false,
    fault: null,
    lost: null,
  }))
  let describing: Promise<void> | null = null
  let measuring: Promise<void> | null = null

  let watched: unknown = null
  const client = async () => {
    const loaded = await clientOf()
    if (watched !== loaded) loaded.onDeviceLost((lost) => store.setState({ lost }))
    watched = loaded
    return loaded
  }

  const known = (found: Pick<DeviceState, 'device'> & Partial<Pick<DeviceState, 'environment'>>) =>
    store.setState({ phase: 'known', ...found, fault: null, lost: null })
  const unavailable = (thrown: unknown) =>
    store.setState({ phase: 'unavailable', device: null, environment: null, fault: toFault(thrown) })
  const asking = () => store.setState(({ phase }) => ({ phase: phase === 'known' ? phase : 'asking' }))

  const ask = async (): Promise<void> => {
    asking()
    try {
      known({ device: await (await client()).describe() })
    } catch (thrown) {
      unavailable(thrown)
    }
  }
  const measure = async (): Promise<void> => {
    asking()
    store.setState({ measuring: true })
    try {
      const environment = await (await client()).measure()
      known({ device: environment, environment })
    } catch (thrown) {
      unavailable(thrown)
    } finally {
      store.setState({ measuring: false })
    }
  }

  return {
    store,
    /**
     * Asks once what the device is; later calls join. Nothing runs on it: it is not even opened.
     */
    describe: (): Promise<void> => {
      if (store.getState().phase === 'known') return Promise.resolve()
      describing ??= ask().finally(() => (describing = null))
      return describing
    },
    /** Measures clock steps, latencies and rates, anew each time. */
    measure: (): Promise<void> => {
      measuring ??= measure().finally(() => (measuring = null))
      return measuring
    },
    /** A run's report has what was measured before it. */
    adopt: (environment: Environment) => known({ device: environment, environment }),
  }
}
