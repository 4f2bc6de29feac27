/**
 * The card of the visitor's machine: measured on request, by short runs of the experiments that say what they calibrate, and kept in this
 * browser. One measurement of the site at a time, as with any run: the client holds the lab's lock.
 */
import { createStore, type StoreApi } from 'zustand/vanilla'
import { toFault, type Fault } from '../base/fault'
import { isRecord } from '../base/is-record'
import type { Calibration, ParamValues } from '../experiments/experiment'
import type { Card, OwnCard } from '../model/card'
import type { LaunchCosts, Wait } from '../trace/machine-costs'
import type { Environment, Report } from '../trace/report'
import type { LabClient, RunResult } from '../worker/client-types'
import type { LocalStore } from './storage'

export interface MeasuredCard extends OwnCard {
  /** What the machine waited, beside what its card says of it; none without timestamps. */
  readonly waits: readonly Wait[]
}

interface CardState {
  /** Null: not measured yet, or forgotten. */
  readonly own: MeasuredCard | null
  readonly measuring: boolean
  /** Under way: what is measured. Afterwards: how it ended, where there is no card of it. */
  readonly said: string
  readonly fault: Fault | null
  /** False: this browser keeps nothing, and the card goes with the tab. */
  readonly kept: boolean
}

export interface CardStore {
  readonly store: StoreApi<CardState>
  measure: () => Promise<void>
  cancel: () => void
  forget: () => void
}

interface Fit {
  readonly ownCard: (
    measured: {
      readonly environment: Environment
      readonly launches: LaunchCosts | null
      readonly waits: readonly Wait[]
    },
    measuredAt: string,
  ) => OwnCard | null
  readonly isCard: (value: unknown) => value is Card
}

export interface CardStoreParts {
  readonly client: Pick<LabClient, 'run' | 'cancel'>
  readonly localStore: LocalStore
  /** Loaded when a card is measured, or one is kept. */
  readonly load: () => Promise<Fit & { readonly calibrations: readonly CalibrationRun[] }>
  /** Of how the device was measured before the first run. */
  readonly adopt: (environment: Environment) => void
  /** For tests. */
  readonly limitMs?: number
}

export interface CalibrationRun {
  readonly experiment: string
  readonly values: ParamValues
  readonly calibrates: Calibration
}

const KEY = 'host-device-lab:card'
/** 1: kernels at one rate, and bytes to the host in proportion to a rate that no H200 has. */
const VERSION = 2
/** Of the runs together; what is not measured by then is left out. */
const LIMIT_MS = 8000
const WHAT: Readonly<Record<Calibration['of'], string>> = {
  launches: 'what calls cost',
  waits: 'how long the host waits after kernels of several lengths',
}

const CANCELLED = 'Cancelled. Nothing was changed.'
const NOTHING: CardState = { own: null, measuring: false, said: '', fault: null, kept: true }

const isWait = (value: unknown): value is Wait =>
  isRecord(value) && [value['kernelMs'], value['waitMs']].every((ms) => typeof ms === 'number' && ms > 0)
const isText = (value: unknown): value is string => typeof value === 'string'

function readOwn(data: unknown, isCard: Fit['isCard']): MeasuredCard | null {
  if (!isRecord(data)) return null
  const { card, measuredAt, missing, waits } = data
  if (!isCard(card) || !isText(measuredAt) || !Array.isArray(missing) || !Array.isArray(waits)) return null
  return { card, measuredAt, missing: missing.filter(isText), waits: waits.filter(isWait) }
}

export function createCardStore({
  client,
  localStore,
  load,
  adopt,
  limitMs = LIMIT_MS,
}: CardStoreParts): CardStore & { readonly restore: () => Promise<void> } {
  const store = createStore<CardState>(() => NOTHING)
  let isCancelled = false
  const wasCancelled = (): boolean => isCancelled
  const say = (said: string) => {
    store.setState({ said })
  }

  const measureAll = async (): Promise<void> => {
    const { ownCard, calibrations } = await load()
    let report: Report | null = null
    let launches: LaunchCosts | null = null
    let waits: readonly Wait[] = []
    const late: string[] = []
    let timer: ReturnType<typeof setTimeout> | undefined
    const limit = { isPassed: false }
    try {
      for (const { experiment, values, calibrates } of calibrations) {
        const what = WHAT[calibrates.of]
        if (wasCancelled()) {
          say(CANCELLED)
          return
        }
        if (limit.isPassed) {
          late.push(what)
          continue
        }
        say(`Measuring ${what}.`)
        const result: RunResult = await client.run(
          experiment,
          values,
          { record: true, live: false },
          {
            // The device's own rates are measured before the first run: a second or two, on a processor longer.
            started: () => {
              timer ??= setTimeout(() => {
                limit.isPassed = true
                client.cancel()
              }, limitMs)
            },
            progress: ({ message }) => {
              say(`Measuring ${what}${message === '' ? '' : `: ${message}`}.`)
            },
            chunk: () => undefined,
          },
        )
        if (wasCancelled()) {
          say(CANCELLED)
          return
        }
        if (result.status === 'failed') {
          store.setState({ fault: result.fault, said: '' })
          return
        }
        if (result.status !== 'done') {
          late.push(what)
          continue
        }
        const { valid, reasons } = result.report.validity
        if (!valid) {
          say(`Not kept: ${reasons.join(' ')}`)
          return
        }
        report = result.report
        adopt(report.environment)
        if (calibrates.of === 'launches') launches = calibrates.read(report.metrics)
        else waits = calibrates.read(report.metrics)
      }
    } finally {
      clearTimeout(timer)
    }
    const own =
      report && ownCard({ environment: report.environment, launches, waits }, new Date().toISOString())
    if (!own) {
      say(
        late.length > 0
          ? `Not measured within ${String(limitMs / 1000)} s: ${late.join('; ')}. So there is no card.`
          : 'The device’s rates could not be measured, so there is no card.',
      )
      return
    }
    const missing = [
      ...late.map((what) => `${what}: it took longer than ${String(limitMs / 1000)} s`),
      ...own.missing,
    ]
    const measured: MeasuredCard = { ...own, missing, waits }
    const kept = localStore.write(KEY, { version: VERSION, data: measured })
    store.setState({ own: measured, kept, said: '' })
  }

  return {
    store,
    measure: async () => {
      if (store.getState().measuring) return
      isCancelled = false
      store.setState({ measuring: true, fault: null, said: 'Starting.' })
      try {
        await measureAll()
      } catch (thrown) {
        store.setState({ fault: toFault(thrown), said: '' })
      } finally {
        store.setState({ measuring: false })
      }
    },
    cancel: () => {
      if (!store.getState().measuring) return
      isCancelled = true
      client.cancel()
    },
    forget: () => {
      store.setState({
        own: null,
        said: 'Forgotten.',
        kept: localStore.write(KEY, { version: 0, data: null }),
      })
    },
    restore: async () => {
      const saved = localStore.read(KEY)
      if (saved?.version !== VERSION) return
      const { isCard } = await load()
      store.setState(({ own }) => ({ own: own ?? readOwn(saved.data, isCard) }))
    },
  }
}
